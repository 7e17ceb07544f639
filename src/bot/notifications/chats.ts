// Posts to the operator's chats: evaluations put them into a queue of its own, so that no chat holds back other work.
import type { Logger } from 'pino'
import { NotificationError, type PostNotification } from '../../client/post-notification.ts'
import type { Journal } from '../../journal/types.ts'
import type { JobHandler, JobQueue } from '../../queue/types.ts'
import { postOf } from '../../rules/actions/definition/chat-calls.ts'
import { refName } from '../../rules/explain/ref-name.ts'
import type { Call } from '../../rules/types.ts'
import type { FlowCounters } from '../reporting/counters.ts'
import { CallRefused } from '../service/call-refused.ts'
import { type ChatKind, type ChatMessage, chatBody } from './chat-body.ts'
import { type OutboundPosts, type PostLimit, postAttempts } from './outbound-posts.ts'

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
  journal: Pick<Journal, 'mergeRequests'>
  posts: OutboundPosts
  chats: readonly Chat[]
  counting?: Pick<FlowCounters, 'chatPost'> | undefined
  log: Logger
}

export interface Chats {
  /** Enqueues the post of a call. Throws what queue, journal and `beforeRequest` throw, and CallRefused. */
  enqueue(call: Pick<Call, 'params'>, beforeRequest: () => Promise<void>): Promise<void>
  handler: JobHandler<ChatJob>
}

/** Of one chat. */
export const chatLimit: PostLimit = { most: 30, windowMs: 60_000, longestWait: 60 }

export function createChats(options: ChatsOptions): Chats {
  const { queue, posts, log, counting } = options
  const byName = new Map(options.chats.map((chat) => [chat.name, chat]))

  /** Milliseconds until the post may go out. Throws CallRefused where too many wait. */
  async function reserve(to: string): Promise<number> {
    const delayMs = await posts.reserve(`chat ${to}`, chatLimit)
    if (delayMs !== undefined) return delayMs
    counting?.chatPost(to, 'dropped')
    log.warn({ event: 'chat_post_dropped', chat: to }, `too many posts to the chat ${to}: one was dropped`)
    throw new CallRefused(`more than ${chatLimit.most * chatLimit.longestWait} posts to the chat ${to} are waiting`)
  }

  const enqueue: Chats['enqueue'] = async (call, beforeRequest) => {
    const { id: project, merge_request_iid: iid, to, text, url, key } = postOf(call)
    const id = `chat-${key}`
    // Queued before a crash: it takes no second place in the minute.
    if ((await queue.addedAt(id)) !== undefined) return
    const delayMs = await reserve(to)
    await beforeRequest()
    await queue.add({ id, data: { to, text, project, iid, ...(url === undefined ? {} : { url }) }, delayMs })
  }

  async function messageOf(id: string, job: ChatJob): Promise<ChatMessage> {
    const { project, iid } = job
    const [{ path } = {}] = await options.journal.mergeRequests.names([{ project }])
    return { ...job, id, projectPath: path, name: refName({ project, iid, path }) }
  }

  return {
    enqueue,
    async handler(job) {
      const { to } = job.data
      const chat = byName.get(to)
      if (chat === undefined) {
        counting?.chatPost(to, 'failed')
        return { outcome: 'failed', reason: `the operator names no chat ${to} any more` }
      }
      const message = await messageOf(job.id, job.data)
      try {
        const post = { to: `the chat ${to}`, post: chat.post, body: chatBody(chat.kind, message) }
        const result = await posts.send(post, job)
        if (result.outcome === 'failed') counting?.chatPost(to, 'failed')
        if (result.outcome !== 'done') return result
      } catch (error) {
        if (error instanceof NotificationError)
          counting?.chatPost(to, job.attempt < postAttempts ? 'retried' : 'failed')
        throw error
      }
      counting?.chatPost(to, 'sent')
      log.info({ event: 'chat_posted', chat: to, mergeRequest: message.name }, `posted to the chat ${to}`)
      return { outcome: 'done' }
    },
  }
}
