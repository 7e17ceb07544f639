// Posts to the operator's chats: evaluations put them into a queue of its own, so that no chat holds back other work.
import type { Logger } from 'pino'
import type { CallData, EndpointName } from '../../api/call-data.ts'
import type { CallOptions, Client } from '../../client/create-client.ts'
import { NotificationError, type PostNotification } from '../../client/post-notification.ts'
import type { Journal } from '../../journal/types.ts'
import type { JobHandler, JobQueue, JobResult } from '../../queue/types.ts'
import { type ChatPost, postOf } from '../../rules/actions/definition/chat-calls.ts'
import { refName } from '../../rules/explain/ref-name.ts'
import type { FlowCounters } from '../reporting/counters.ts'
import { CallRefused } from '../service/call-refused.ts'
import { jsonMark, type MarkJournal, wholeService } from '../service/json-mark.ts'
import { type ChatKind, type ChatMessage, chatBody } from './chat-body.ts'

export interface ChatJob {
  to: string
  text: string
  project: number
  iid: number
  url?: string
}

/** A chat that the operator named. */
export interface Chat {
  name: string
  kind: ChatKind
  post: PostNotification
}

export interface ChatsOptions {
  queue: JobQueue<ChatJob>
  journal: MarkJournal & Pick<Journal, 'names'>
  chats: readonly Chat[]
  counting?: Pick<FlowCounters, 'chatPost'> | undefined
  /** While a chat fails, its other posts do not wait for its answers. */
  restMs: number
  now: () => number
  log: Logger
}

export interface Chats {
  /** Sends calls to `sender`, and posts to the queue. Throws what sender, queue and journal throw, and CallRefused. */
  withChats(sender: Pick<Client, 'send'>): Pick<Client, 'send'>
  handler: JobHandler<ChatJob>
}

/** Covers a chat that answers errors for more than an hour. */
export const chatAttempts = 12
/** To one chat; further posts wait for a later minute. */
export const postsPerMinute = 30
/** Those that would wait longer are dropped. */
export const longestWaitMinutes = 60

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The minute that the next post goes out in. */
interface Slot {
  minute: number
  posts: number
}

export function createChats(options: ChatsOptions): Chats {
  const { queue, now, log, counting } = options
  const byName = new Map(options.chats.map((chat) => [chat.name, chat]))
  const resting = new Map<string, number>()

  /** Milliseconds until the post may go out. Throws CallRefused where too many wait. */
  async function reserve(to: string): Promise<number> {
    const minute = Math.floor(now() / minuteMs)
    let slot: Slot | undefined
    await jsonMark<Slot>(options.journal, `chat ${to}`).change(wholeService, (before) => {
      slot = nextSlot(before, minute)
      return slot
    })
    if (slot === undefined) {
      counting?.chatPost(to, 'dropped')
      log.warn({ event: 'chat_post_dropped', chat: to }, `too many posts to the chat ${to}: one was dropped`)
      throw new CallRefused(`more than ${postsPerMinute * longestWaitMinutes} posts to the chat ${to} are waiting`)
    }
    return Math.max(0, slot.minute * minuteMs - now())
  }

  async function enqueue(post: ChatPost, { beforeRequest }: CallOptions = {}): Promise<void> {
    const { id: project, merge_request_iid: iid, to, text, url, key } = post
    const id = `chat-${key}`
    // Queued before a crash: it takes no second place in the minute.
    if ((await queue.addedAt(id)) !== undefined) return
    const delayMs = await reserve(to)
    await beforeRequest?.()
    await queue.add({ id, data: { to, text, project, iid, ...(url === undefined ? {} : { url }) }, delayMs })
  }

  async function messageOf(id: string, job: ChatJob): Promise<ChatMessage> {
    const { project, iid } = job
    const [{ path } = {}] = await options.journal.names([{ project }])
    return { ...job, id, projectPath: path, name: refName({ project, iid, path }) }
  }

  /** What follows from an error of the chat. Throws it where the attempt counts. */
  function afterError(error: unknown, to: string, attempt: number): JobResult {
    const retryAfterMs = error instanceof NotificationError ? error.retryAfterMs : undefined
    const waitMs = retryAfterMs === undefined ? undefined : Math.max(retryAfterMs, 1_000)
    resting.set(to, now() + Math.min(waitMs ?? options.restMs, longestWaitMinutes * minuteMs))
    if (waitMs !== undefined) return { outcome: 'later', delayMs: waitMs, reason: `the chat ${to} asks for a pause` }
    counting?.chatPost(to, attempt < chatAttempts ? 'retried' : 'failed')
    throw error
  }

  return {
    withChats: (sender) => ({
      async send(endpoint, params, callOptions) {
        const call: CallData = { endpoint: endpoint as EndpointName, params }
        const post = postOf(call)
        if (post === undefined) return sender.send(endpoint, params, callOptions)
        await enqueue(post, callOptions)
        return { status: 200, body: null }
      },
    }),
    async handler({ id, data, attempt, addedAt, claim }) {
      const { to } = data
      const chat = byName.get(to)
      const giveUp = (reason: string): JobResult => {
        counting?.chatPost(to, 'failed')
        return { outcome: 'failed', reason }
      }
      if (chat === undefined) return giveUp(`the operator names no chat ${to} any more`)
      if (now() - addedAt > dayMs) return giveUp(`the chat ${to} took no post for a day`)
      const restsFor = (resting.get(to) ?? 0) - now()
      if (restsFor > 0) return { outcome: 'later', delayMs: restsFor, reason: `the chat ${to} failed just now` }
      const message = await messageOf(id, data)
      await claim()
      try {
        await chat.post(id, chatBody(chat.kind, message))
      } catch (error) {
        return afterError(error, to, attempt)
      }
      counting?.chatPost(to, 'sent')
      log.info({ event: 'chat_posted', chat: to, mergeRequest: message.name }, `posted to the chat ${to}`)
      return { outcome: 'done' }
    },
  }
}

/** Undefined where the next free minute is too far away. */
function nextSlot(before: Slot | undefined, minute: number): Slot | undefined {
  if (before === undefined || before.minute < minute) return { minute, posts: 1 }
  const next =
    before.posts < postsPerMinute ? { ...before, posts: before.posts + 1 } : { minute: before.minute + 1, posts: 1 }
  return next.minute - minute > longestWaitMinutes ? undefined : next
}
