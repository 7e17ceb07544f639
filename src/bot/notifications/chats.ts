// Posts to the operator's chats: evaluations put them into a queue of its own, so that no chat holds back other work.
import { NotificationError } from '../../client/post-notification.ts'
import type { JobHandler } from '../../queue/types.ts'
import { postOf } from '../../rules/actions/definition/action-calls.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import type { Call } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { type ChatJob, chatBody } from './chat-body.ts'
import { type OutboundPosts, type PostLimit, postAttempts, reservePost } from './outbound-posts.ts'

export class CallRefused extends Error {
  override readonly name = 'CallRefused'
}

/** How many posts one chat gets. */
export const chatLimit: PostLimit = { most: 30, windowMs: 60_000, longestWait: 60 }

/** Enqueues the post of a call. Throws as queue, journal and `beforeRequest` do, and CallRefused if too many wait. */
export async function postToChat(context: Context, call: Pick<Call, 'params'>, beforeRequest: () => Promise<void>) {
  const { chats } = context.queues
  const { id: project, merge_request_iid: iid, to, text, url, key } = postOf(call)
  const id = `chat-${key}`
  const delayMs = await reservePost(context, `chat ${to}`, chatLimit)
  if (delayMs === undefined) {
    context.counting?.chatPost(to, 'dropped')
    context.log.warn({ event: 'chat_post_dropped', chat: to }, `too many posts to the chat ${to}: one was dropped`)
    throw new CallRefused(`more than ${chatLimit.most * chatLimit.longestWait} posts to the chat ${to} are waiting`)
  }
  await beforeRequest()
  await chats.add({ id, data: { to, text, project, iid, url }, delayMs })
}

/** The handler of the queue of chats. */
export function createChatHandler(
  { journal, operator, counting, log }: Context,
  posts: OutboundPosts,
): JobHandler<ChatJob> {
  const byName = new Map((operator.chats ?? []).map((chat) => [chat.name, chat]))

  return async (job) => {
    const { to, project, iid } = job.data
    const chat = byName.get(to)
    if (chat === undefined) {
      counting?.chatPost(to, 'failed')
      return { outcome: 'failed', reason: `the operator names no chat ${to} any more` }
    }
    const [{ path } = {}] = await journal.mergeRequests.names([{ project }])
    const message = { ...job.data, id: job.id, projectPath: path, name: refName({ project, iid, path }) }
    try {
      const post = { to: `the chat ${to}`, post: chat.post, body: chatBody(chat.kind, message) }
      const result = await posts.send(post, job)
      if (result.outcome === 'failed') counting?.chatPost(to, 'failed')
      if (result.outcome !== 'done') return result
    } catch (error) {
      if (error instanceof NotificationError) counting?.chatPost(to, job.attempt < postAttempts ? 'retried' : 'failed')
      throw error
    }
    counting?.chatPost(to, 'sent')
    log.info({ event: 'chat_posted', chat: to, mergeRequest: message.name }, `posted to the chat ${to}`)
    return { outcome: 'done' }
  }
}
