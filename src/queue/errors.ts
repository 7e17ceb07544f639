// Errors of the queue. No message contains the credentials of a URL.

/** The backend cannot be reached, or refused: nothing was stored, try again later. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable'
}

/** Another process uses the directory of an embedded queue. */
export class QueueDirectoryInUse extends Error {
  override readonly name = 'QueueDirectoryInUse'

  constructor(directory: string, holder: string) {
    super(
      `The queue directory ${directory} is in use by ${holder}. Stop that process, or give this one a directory of ` +
        'its own (BELLHOP_QUEUE_URL=embedded:DIR), or let both share a Redis (BELLHOP_QUEUE_URL=redis://HOST:6379).',
    )
  }
}

/** The backend answers, but would lose jobs or cannot be used with its settings; the message says what to change. */
export class QueueMisconfigured extends Error {
  override readonly name = 'QueueMisconfigured'
}

/** The job does not exist, or is not in a state in which it can be retried or promoted. */
export class JobNotRetryable extends Error {
  override readonly name = 'JobNotRetryable'
}

/**
 * This process was frozen for longer than the lock of its job, so another worker may run the job: stop without side
 * effects.
 */
export class JobTakenOver extends Error {
  override readonly name = 'JobTakenOver'

  constructor(job: string) {
    super(
      `Another worker has taken job ${job} over, because this process did not respond for too long. This run stops.`,
    )
  }
}

/** The queue still had work when the time to wait was over. */
export class QueueNotSettled extends Error {
  override readonly name = 'QueueNotSettled'
}

/** What it resolves with; every error becomes QueueUnavailable. */
export async function available<R>(problem: string, ask: () => Promise<R>): Promise<R> {
  try {
    return await ask()
  } catch (thrown) {
    const cause = asError(thrown)
    throw new QueueUnavailable(`${problem}: ${cause.message}`, { cause })
  }
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** The URL without user, password and query; nothing of it if its path has an @: a password may contain a /. */
export function withoutCredentials(url: string): string {
  try {
    const parsed = new URL(url)
    if (parsed.pathname.includes('@')) return 'the queue URL'
    return `${parsed.protocol}//${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`
  } catch {
    return 'the queue URL'
  }
}
