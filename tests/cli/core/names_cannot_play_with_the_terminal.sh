# U+202E writes the rest of a line backwards, ESC [31m colours it.
name=$(printf 'a\342\200\256b\033[31mc.kb')
"$lemnos" init --kb "$name"
"$lemnos" status --kb "$name" | sed '1s/(.*/(.../'
