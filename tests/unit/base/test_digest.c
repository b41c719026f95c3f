#include "tests/support/check.h"
#include "base/digest.h"

FREEABLE(digest)

/* Expected values: FIPS 180-2, appendix B, and the empty message of the NIST test vectors. */

TEST(the_published_messages_have_their_published_hashes)
{
	char hex[DIGEST_HEX_SIZE];
	const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

	digest_text("", 0, hex);
	assert_string_equal(hex,
			    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	digest_text("abc", 3, hex);
	assert_string_equal(hex,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	digest_text(two_blocks, strlen(two_blocks), hex);
	assert_string_equal(hex,
			    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(pieces_hash_like_the_whole_and_final_starts_anew)
{
	char hex[DIGEST_HEX_SIZE];
	char whole[DIGEST_HEX_SIZE];
	char text[1000];
	FREED(digest) *d = digest_new();

	assert_non_null(d);
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)(i * 7);
	digest_text(text, sizeof text, whole);
	for (size_t piece = 1; piece < 200; piece += 31) {
		for (size_t at = 0; at < sizeof text; at += piece) {
			size_t left = sizeof text - at;

			digest_update(d, text + at, left < piece ? left : piece);
		}
		digest_final(d, hex);
		assert_string_equal(hex, whole);
	}
	digest_update(d, NULL, 0);
	digest_final(d, hex);
	assert_memory_equal(hex, "e3b0c442", 8);
	digest_free(NULL);
}
