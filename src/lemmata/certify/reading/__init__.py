"""Second readers: does the evidence hold for the file as somebody else reads it?"""
