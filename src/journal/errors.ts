// What can go wrong with the journal itself.

/** The journal's store cannot be reached, or refused: nothing was remembered, ask again later. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable'
}

/** The journal was written by a newer Bellhop; the message says what to do. */
export class JournalTooNew extends Error {
  override readonly name = 'JournalTooNew'

  constructor(found: number, known: number) {
    super(
      `The journal is of a newer Bellhop (its version is ${found}, this one knows up to ${known}): start that version again, or give this one a store of its own (BELLHOP_QUEUE_URL).`,
    )
  }
}
