// The journal's errors.

/** `failing`: the database answers, and refuses; its error says why. */
export type JournalTrouble = 'unreachable' | 'read_only' | 'full' | 'failing'

/** The store cannot be reached or refused; nothing was stored. The cause is the store's own error. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable'

  get trouble(): JournalTrouble {
    const code = (this.cause as { code?: unknown } | undefined)?.code
    // PostgreSQL's codes have five characters; those of a lost connection and of a stopping server say no more.
    if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || /^(08|57)/.test(code)) return 'unreachable'
    return code === '25006' ? 'read_only' : code === '53100' ? 'full' : 'failing'
  }
}

/** The journal's URL, or what it names, cannot be used; the message says what to change. */
export class JournalMisconfigured extends Error {
  override readonly name = 'JournalMisconfigured'
}

/** Another version of Bellhop made the journal; the message says what to do. */
export class JournalTooNew extends Error {
  override readonly name = 'JournalTooNew'

  constructor(found: number, known: number) {
    super(
      `The journal was made by another version of Bellhop (its tables are of version ${found}, this one knows up to ${known}): start that version again, or give this one a store of its own (BELLHOP_QUEUE_URL or BELLHOP_JOURNAL_URL).`,
    )
  }
}
