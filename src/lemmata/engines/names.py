"""What engines are called. Each name is spelled here; records, engines and whoever looks for one take it from here."""

PDR, WORD, LIFTED = "pdr", "word", "lifted"  # on bits, words and graphs
BITBLAST = "bitblast"
BMC = "bmc"
KINDUCTION = "kinduction"
ABSTRACT = "abstract"
SYMBOLIC = "symbolic"
ACCELERATE = "accelerate"
TRACES = "traces"

SIMULATE = "simulate"  # beside BMC, in its place in the table
TEXTBOOK, LIA_TEXTBOOK, THESIS = "textbook", "lia-textbook", "thesis"  # presets: algorithms in the place of another
REUSE = "reuse"  # no engine: evidence of an earlier run that still holds
