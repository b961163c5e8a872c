"""Reports: results and events in, text for people and programs out. Nothing here decides anything."""
