cp "$mined" kb
$lemnos rules review --kb kb
