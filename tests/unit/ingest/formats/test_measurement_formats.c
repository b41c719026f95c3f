#include "tests/unit/ingest/formats/memory_input.h"

/* Extra-P, Caliper and Thicket: measurements of many regions, of which a flag says which is the
 * run. */

static const struct foreign_choice every = {.region = "*"};

TEST(extrap_points_in_all_spellings)
{
	/* docs/file-formats.md: points in brackets, coordinates in brackets, neither for one
	 * parameter */
	check_table("extrap", "PARAMETER x\nPOINTS 2 ( 4 ) (8)\nDATA 1\nDATA 2\nDATA 3\n", NULL,
		    "x,value?|2,1|4,2|8,3");
	check_table(
		"extrap",
		"PARAMETER x y\r\nPOINTS ((2) (10)) ( 4 10 )\r\nPOINTS\t(8 10)\r\n\r\nMETRIC time\r\n"
		"REGION main->f\r\nDATA\t1 1.5\r\n# a comment\r\nDATA 2\r\nDATA 3",
		NULL,
		"x,y,region,time?|2,10,main->f,1|2,10,main->f,1.5|4,10,main->f,2|8,10,main->f,3");
}

TEST(extrap_faults_name_their_line)
{
	check_refused("extrap", "PARAMETER x\nPOINTS (1)\nDATA 1\nDATA 2\n", NULL,
		      "f:4: more lines of DATA than the 1 POINTS");
	check_refused("extrap", "PARAMETER x\nPOINTS 1 2\nREGION a\nDATA 1\nREGION b\n", NULL,
		      "f:4: 1 lines of DATA for 2 POINTS");
	check_refused("extrap", "PARAMETER x\nPOINTS 1 2\nDATA 1\n", NULL,
		      "f:3: 1 lines of DATA for 2 POINTS");
	check_refused("extrap", "PARAMETER x y\nPOINTS (1 2 3)\n", NULL,
		      "f:2: a point of 3 coordinates, there are 2 parameters");
	check_refused("extrap", "PARAMETER x y\nPOINTS 1 2\n", NULL,
		      "f:2: a point of 1 coordinates, there are 2 parameters");
	check_refused("extrap", "PARAMETER x\nPOINTS (1\n", NULL,
		      "f:2: a bracket that never closes");
	check_refused("extrap", "PARAMETER x\nPOINTS 1)\n", NULL, "f:2: a bracket closes");
	check_refused("extrap", "PARAMETER x\nPOINTS one\n", NULL,
		      "f:2: the coordinate 'one' is no number");
	check_refused("extrap", "POINTS 1\n", NULL, "f:1: POINTS before PARAMETER");
	check_refused("extrap", "PARAMETER x\nPOINTS 1\nPARAMETER y\n", NULL,
		      "f:3: PARAMETER behind POINTS");
	check_refused("extrap", "PARAMETER x x\n", NULL, "f:1: two parameters are called 'x'");
	check_refused("extrap", "PARAMETER x\nPOINTS 1\nDATA\n", NULL, "f:3: DATA without a value");
	check_refused("extrap", "PARAMETER x\nREGION \n", NULL, "f:2: a REGION or METRIC without");
	check_refused("extrap", "PARAMETER x\nVALUES 1\n", NULL,
		      "f:2: 'VALUES 1': PARAMETER, POINTS");
}

static const char two_by_two[] =
	"PARAMETER x\nPOINTS 1\nREGION a\nMETRIC time\nDATA 1\nMETRIC flops\n"
	"DATA 2\nREGION b\nMETRIC time\nDATA 3\nMETRIC flops\nDATA 4\n";

TEST(nothing_is_guessed_between_regions_or_metrics)
{
	const struct foreign_choice region = {.region = "b"};
	const struct foreign_choice both = {.region = "b", .metric = "time"};
	const struct foreign_choice all = {.region = "*", .metric = "time"};
	const struct foreign_choice all_metrics = {.region = "*", .metric = "*"};

	check_refused("extrap", two_by_two, NULL,
		      "f: several regions, 'a', 'b': which one is the run? --region NAME takes it; "
		      "--region '*' makes rows of all, with a column region");
	check_refused(
		"extrap", two_by_two, &region,
		"f: several metrics, 'time', 'flops': which one is the run? --metric NAME takes it");
	check_table("extrap", two_by_two, &both, "x,region,time?|1,b,3");
	check_table("extrap", two_by_two, &all, "x,region,time?|1,a,1|1,b,3");
	/* a time and a count are no one column */
	check_refused("extrap", two_by_two, &all_metrics,
		      "f: no metric '*'; there are 'time', 'flops'");
}

TEST(many_regions_are_not_all_named)
{
	check_refused(
		"extrap",
		"PARAMETER x\nPOINTS 1\nREGION a\nDATA 1\nREGION b\nDATA 1\nREGION c\nDATA 1\n"
		"REGION d\nDATA 1\nREGION e\nDATA 1\nREGION f\nDATA 1\nREGION g\nDATA 1\n",
		NULL, "f: several regions, 'a', 'b', 'c', 'd', 'e', 'f' and others: which");
}

TEST(extrap_lines_of_json)
{
	static const char of_lemnos[] =
		"{\"params\":{\"x\":1},\"callpath\":\"lu->layout=row\",\"metric\":\"wall_s\",\"value\":2,"
		"\"app\":\"lu\",\"constants\":{\"layout\":\"row\",\"value\":7},\"repeat\":1}\n"
		"{\"params\":{\"x\":1},\"callpath\":\"lu->layout=col\",\"metric\":\"wall_s\",\"value\":3,"
		"\"app\":\"lu\",\"constants\":{\"layout\":\"col\",\"value\":7},\"repeat\":1}\n";
	const struct foreign_choice col = {.region = "lu->layout=col"}, none = {.region = "main"};

	check_table(
		"extrap_jsonl",
		"{\"params\":{\"x\":1},\"value\":2}\n\n \n{\"params\":{\"x\":2.5},\"value\":[3,4]}",
		NULL, "x,value?|1,2|2.5,3|2.5,4");
	/* Lines of lemnos: the callpath repeats what the columns say. */
	check_table("extrap_jsonl", of_lemnos, NULL,
		    "app,repeat,layout,value,x,wall_s?|lu,1,row,7,1,2|lu,1,col,7,1,3");
	check_table("extrap_jsonl", of_lemnos, &col,
		    "app,repeat,layout,value,x,wall_s?|lu,1,col,7,1,3");
	check_refused("extrap_jsonl", of_lemnos, &none,
		      "f: no region 'main'; there are 'lu->layout=row', 'lu->layout=col'");
	check_refused("extrap_jsonl", "{\"params\":{\"x\":1},\"value\":2}\n{\"params\":{\"x\":1}}",
		      NULL, "f:2: {\"params\": {...}, \"value\": NUMBER} is wanted");
	check_refused("extrap_jsonl", "{\"params\":{},\"value\":[]}", NULL, "f:1: {\"params\"");
	check_refused("extrap_jsonl", "{\"params\":{},\"value\":\"2\"}", NULL,
		      "f:1: the \"value\" is no number");
	check_refused("extrap_jsonl", "{\"params\":{},\"value\":1}\n{\"params\":", NULL,
		      "f:2:10: the JSON ends early");
}

/* ---- Caliper ---- */

#define SPLIT(data, nodes)                                                                           \
	"{\"data\": [" data                                                                          \
	"], \"columns\": [\"rank\", \"time\", \"path\"], \"column_metadata\": "                      \
	"[{\"is_value\": true}, {\"is_value\": true, \"attribute.unit\": \"usec\"}, {\"is_value\": " \
	"false}], \"nodes\": [" nodes "], \"n\": \"30\"}"
#define MAIN_AND_F "{\"label\": \"main\"}, {\"label\": \"f\", \"parent\": 0}"

TEST(caliper_takes_the_last_rank_of_a_region)
{
	const struct foreign_choice f = {.region = "main/f"};

	check_table("caliper",
		    SPLIT("[0, 5, 1], [1, 7.5, 1], [2, null, 1], [0, 99, 0]", MAIN_AND_F), &f,
		    "n?,region,time_us|30,main/f,7.5");
	/* without a region: what the globals say */
	check_table("caliper", SPLIT("[0, 5, 1]", MAIN_AND_F), NULL, "n?|30");
}

TEST(caliper_profiles_that_do_not_hold_together)
{
	const struct foreign_choice f = {.region = "main/f"};

	check_refused(
		"caliper", SPLIT("[0, 5, 1], [0, 6, 1]", MAIN_AND_F), &f,
		"f: several records of the region 'main/f' and one rank: aggregate them first");
	check_refused("caliper", SPLIT("[0, 5, 2]", MAIN_AND_F), NULL,
		      "f: record 1 of \"data\" names a node that is not there");
	check_refused("caliper", SPLIT("[0, 5, -1]", MAIN_AND_F), NULL,
		      "f: record 1 of \"data\" names");
	check_refused("caliper", SPLIT("[0, 5]", MAIN_AND_F), NULL,
		      "f: record 1 of \"data\" has 2 values, there are 3 columns");
	/* a node that is its own ancestor */
	check_refused("caliper", SPLIT("[0, 5, 0]", "{\"label\": \"a\", \"parent\": 0}"), NULL,
		      "f: record 1 of \"data\" names a node that is not there");
	check_refused("caliper", "{\"data\": [], \"columns\": []}", NULL,
		      "f:1: no member \"column_metadata\": an array is wanted");
	check_refused("caliper",
		      "{\"data\": [], \"columns\": [1], \"column_metadata\": [], \"nodes\": []}",
		      NULL, "f:1: a column whose name is no text");
	check_refused(
		"caliper",
		"{\"data\": [], \"columns\": [\"t\"], \"column_metadata\": [], \"nodes\": []}",
		NULL, "f: no column of regions");
}

TEST(caliper_records_outside_of_all_regions)
{
	const struct foreign_choice f = {.region = "f"};
	static const char text[] = "[{\"path\": \"f\", \"time\": 1},\n{\"time\": 2}]";

	check_table("caliper", text, &f, "path?,time?,region|f,1,f");
	check_table("caliper", text, &every, "path?,time?,region|f,1,f|,2,");
	check_refused("caliper", "[1]", NULL, "f: record 1 is no object");
}

/* ---- Thicket ---- */

TEST(thicket_fields_are_those_of_csv)
{
	check_table("thicket",
		    "node,profile,t,name,\n\"{'a': 'b, \"\"c\"\"'}\",1,2.5,\"x, \"\"y\"\"\",0\n\n",
		    &every, "profile?,t?,region?|1,2.5,x, \"y\"");
	check_table("thicket", "node,profile,t,name\na,1,2,m\nb,1\n", &every,
		    "profile?,t?,region?|1,2,m|!3");
	check_refused("thicket", "node,profile,t,name\n\"a\"b,1,2,m\n", NULL,
		      "f:2: a quote inside a field without quotes, or text behind a closing quote");
	check_refused("thicket", "node,profile,t,name\n\"a,1,2,m\n", NULL,
		      "f:2: a quote that does not close in its line");
	check_refused("thicket", "node,profile,t,name\nb,1,2,m\"n\"o\n", NULL,
		      "f:2: a quote inside a field");
	check_refused("thicket", "node,profile,t,name\n\"a\",1\r,2,m\n", NULL,
		      "f:2: a carriage return");
	check_refused("thicket", "node,profile,t\n", NULL,
		      "f:1: the columns node, profile and name");
}

TEST(a_region_is_once_in_a_profile)
{
	check_refused("thicket", "node,profile,t,name\na,1,2,m\na,2,2,m\nb,1,3,m\n", NULL,
		      "f: the region 'm' is there twice in one profile");
}

TEST(each_knows_its_own)
{
	assert_string_equal(recognised("# c\n\nPARAMETER p q\n"), "extrap");
	assert_string_equal(recognised("PARAMETER,p\n"), "csv");
	assert_string_equal(recognised("PARAMETERS p\n"), "csv");
	assert_string_equal(recognised("PARAMETER|p\n1|2\n"), "csv");
	assert_string_equal(recognised("{\"params\": {}, \"value\": 1}"), "extrap_jsonl");
	assert_string_equal(recognised(SPLIT("[0, 5, 1]", MAIN_AND_F)), "caliper");
	assert_string_equal(recognised("{\"data\": [[1]], \"index\": []}"), "csv"); /* pandas */
	assert_string_equal(recognised("[{\"sum#time.duration\": 1}]"), "caliper");
	assert_string_equal(recognised("{\"records\": [], \"globals\": {}}"), "caliper");
	assert_string_equal(recognised("[{\"a\": 1}]"), "csv");
	assert_string_equal(recognised("node,profile,name\n"), "thicket");
	assert_string_equal(recognised("node,profile,names\n"), "csv");
	assert_string_equal(recognised("nodes,profile,name\n"), "csv");
	assert_string_equal(recognised(""), "csv");
}
