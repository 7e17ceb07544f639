// The journal's errors.

/** The store cannot be reached or refused; nothing was stored. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable'
}

/** The journal's URL, or what it names, cannot be used; the message says what to change. */
export class JournalMisconfigured extends Error {
  override readonly name = 'JournalMisconfigured'
}

/** A newer Bellhop wrote the journal; the message says what to do. */
export class JournalTooNew extends Error {
  override readonly name = 'JournalTooNew'

  constructor(found: number, known: number) {
    super(
      `The journal is of a newer Bellhop (its version is ${found}, this one knows up to ${known}): start that version again, or give this one a store of its own (BELLHOP_QUEUE_URL or BELLHOP_JOURNAL_URL).`,
    )
  }
}
