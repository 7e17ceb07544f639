// Opens the queue that a URL names.
import { bullmqQueue } from './bullmq-queue.ts'
import type { BullStore } from './bullmq-store.ts'
import { QueueMisconfigured } from './errors.ts'
import type { Queue } from './types.ts'

export interface QueueSettings {
  /** `embedded:DIR`, `redis://…`, `rediss://…` or `postgres://…`. */
  url: string
  /** Told of lost connections, which mend by themselves. */
  log?: (message: string, error: Error) => void
  /** Told a sentence before something slow: the first start in a directory takes some seconds. */
  onProgress?: (sentence: string) => void
  /** After how many milliseconds without a sign of life the work of a process is taken up by another, 30 s when absent. */
  lockMs?: number
  /** So many bytes of large bodies are in memory at once, 32 MB when absent, or one that is larger: all others wait in the store. Only where they stand beside their jobs (Redis). */
  bodiesAtOnce?: number
}

/** Opens the queue; throws QueueUnavailable, QueueDirectoryInUse or QueueMisconfigured, each with what to do. */
export async function openQueue(settings: QueueSettings): Promise<Queue> {
  return bullmqQueue(await openStore(settings), settings)
}

/** Each loads its own database's package alone. */
async function openStore(settings: QueueSettings): Promise<BullStore> {
  const { url, log = () => undefined, onProgress = () => undefined } = settings
  const scheme = /^[a-z]+(?=:)/.exec(url)?.[0]
  switch (scheme) {
    case 'embedded': {
      const directory = url.slice('embedded:'.length)
      if (directory === '') throw new QueueMisconfigured('The queue URL "embedded:" names no directory: write embedded:DIR.')
      const { openEmbedded } = await import('./embedded.ts')
      return openEmbedded({ directory, log, onProgress })
    }
    case 'redis':
    case 'rediss': {
      const { openRedis } = await import('./redis.ts')
      return openRedis({ url, log })
    }
    case 'postgres':
    case 'postgresql': {
      const { openPostgres } = await import('./postgres.ts')
      return openPostgres({ url, log })
    }
    default:
      // The URL itself is not shown: it may be a password in the wrong place.
      throw new QueueMisconfigured('The queue URL must begin with embedded:DIR, redis://, rediss:// or postgres://.')
  }
}
