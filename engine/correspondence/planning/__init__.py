"""Planning over all games: absences, latest refills, reminders."""
