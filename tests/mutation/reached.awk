# What `gcov -t` prints of one test, as "FILE:LINE yes" where a line was executed and "FILE:LINE no"
# where it was not. Lines without code of their own are left out; so are headers of the system.
{
	split($0, part, ":")
	count = part[1]
	line = part[2] + 0
	gsub(/ /, "", count)
}
line == 0 && part[3] == "Source" { file = part[4] }
line > 0 && count != "-" && file !~ /^\// {
	print file ":" line, count ~ /^[#=]/ ? "no" : "yes"
}
