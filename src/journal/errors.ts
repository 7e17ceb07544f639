// What can go wrong with the journal itself.

/** The journal's store cannot be reached, or refused: nothing was remembered, ask again later. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable'
}
