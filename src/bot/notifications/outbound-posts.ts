// Posts to addresses of the operator, for chats and notifications: how many go out, and what follows from an answer.
import { NotificationError, type PostNotification } from '../../client/post-notification.ts'
import { wholeService } from '../../journal/tables/marks.ts'
import type { JobResult, RunningJob } from '../../queue/types.ts'
import type { Context } from '../context.ts'

/** Those that would have to wait for more than `longestWait` windows are refused. */
export interface PostLimit {
  most: number
  windowMs: number
  longestWait: number
}

export type OutboundPosts = ReturnType<typeof createOutboundPosts>

/** Covers a receiver that answers errors for more than an hour. */
export const postAttempts = 12

const longestRestMs = 60 * 60_000
const dayMs = 24 * 60 * 60_000

/** The window that the next post goes out in. */
interface Slot {
  window: number
  posts: number
}

/** Milliseconds until the next post of that name, over all processes; undefined: refused. Throws JournalUnavailable. */
export async function reservePost({ journal, now }: Context, name: string, limit: PostLimit) {
  const window = Math.floor(now() / limit.windowMs)
  let slot: Slot | undefined
  await journal.marks.change<Slot>(wholeService, name, (before) => {
    slot = nextSlot(before, window, limit)
    return slot
  })
  return slot && Math.max(0, slot.window * limit.windowMs - now())
}

/** While a receiver fails, its other posts do not wait for its answers. */
export function createOutboundPosts({ operator, now }: Context) {
  const restMs = 6 * operator.retryDelays.outageMs
  const resting = new Map<string, number>()
  return {
    /** One attempt; `to` as in `the chat team`. Throws NotificationError, and what `claim` throws. */
    async send(
      { to, post, body }: { to: string; post: PostNotification; body: string },
      { id, addedAt, claim }: Pick<RunningJob<unknown>, 'id' | 'addedAt' | 'claim'>,
    ): Promise<JobResult> {
      if (now() - addedAt > dayMs) return { outcome: 'failed', reason: `${to} took no post for a day` }
      const restsFor = (resting.get(to) ?? 0) - now()
      if (restsFor > 0) return { outcome: 'later', delayMs: restsFor, reason: `${to} failed just now` }
      await claim()
      try {
        await post(id, body)
        return { outcome: 'done' }
      } catch (error) {
        const retryAfterMs = error instanceof NotificationError ? error.retryAfterMs : undefined
        const waitMs = retryAfterMs === undefined ? undefined : Math.max(retryAfterMs, 1_000)
        resting.set(to, now() + Math.min(waitMs ?? restMs, longestRestMs))
        if (waitMs === undefined) throw error
        return { outcome: 'later', delayMs: waitMs, reason: `${to} asks for a pause` }
      }
    },
  }
}

/** Undefined if the next free window is too far away. */
function nextSlot(before: Slot | undefined, window: number, { most, longestWait }: PostLimit): Slot | undefined {
  if (before === undefined || before.window < window) return { window, posts: 1 }
  const next = before.posts < most ? { ...before, posts: before.posts + 1 } : { window: before.window + 1, posts: 1 }
  return next.window - window > longestWait ? undefined : next
}
