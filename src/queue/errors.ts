// What can go wrong with the queue itself, as types; no message ever carries the credentials of a URL.

/** The store of jobs cannot be reached, or refused: nothing was promised, ask again later. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable'
}

/** Another process holds the directory of an embedded queue. */
export class QueueDirectoryInUse extends Error {
  override readonly name = 'QueueDirectoryInUse'
  readonly directory: string

  constructor(directory: string, holder: string) {
    super(
      `The queue directory ${directory} is in use by ${holder}. Stop that process, or give this one a directory of its own (BELLHOP_QUEUE_URL=embedded:DIR), or let both share a Redis (BELLHOP_QUEUE_URL=redis://HOST:6379).`,
    )
    this.directory = directory
  }
}

/** The store answers, but would lose jobs or cannot be used as it is set up; the message says what to change. */
export class QueueMisconfigured extends Error {
  override readonly name = 'QueueMisconfigured'
}

/** The job is not there, or not in a state in which it can be put back in line. */
export class JobNotRetryable extends Error {
  override readonly name = 'JobNotRetryable'
}

/** The job is another run's by now, or soon: whoever asked was silent for longer than its lock, and does nothing more. */
export class JobTakenOver extends Error {
  override readonly name = 'JobTakenOver'

  constructor(job: string) {
    super(`Job ${job} was taken up by another run, because this one gave no sign of life for too long: it does nothing more.`)
  }
}

/** The job was written by a newer Bellhop: it is left to that one. */
export class JobOfNewerVersion extends Error {
  override readonly name = 'JobOfNewerVersion'

  constructor(job: string) {
    super(`Job ${job} was written by a newer Bellhop and is left to it: start the newer version everywhere.`)
  }
}

/** A lane still had work when the time to wait for it was over. */
export class LaneNotSettled extends Error {
  override readonly name = 'LaneNotSettled'
}

/** Whatever was thrown, as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** A URL as it may be shown: without user, password and query. */
export function withoutCredentials(url: string): string {
  try {
    const parsed = new URL(url)
    return `${parsed.protocol}//${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`
  } catch {
    return 'the queue URL'
  }
}
