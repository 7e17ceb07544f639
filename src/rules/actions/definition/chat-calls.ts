// The call that posts to a chat: it looks like an API call in decisions, and a queue of Bellhop's own delivers it.
import type { CallData } from '../../../api/call-data.ts'

export interface ChatPost {
  id: number
  merge_request_iid: number
  /** The name of the operator's destination. */
  to: string
  /** Plain text: markup and mentions of the chat are escaped where its kind is known. */
  text: string
  /** The page of the merge request, or of the project, as the service says. */
  url?: string
  /** Equal for the same post, so that it is queued once. */
  key: string
}

const NAME = 'chat.post'

/** A post as data. */
export function chatCall(post: ChatPost): CallData {
  // No endpoint of the API has this name: code that sends calls asks isChatCall first.
  return { endpoint: NAME as string as CallData['endpoint'], params: { ...post } }
}

/** Whether the call goes to a chat, and not to the service. */
export const isChatCall = ({ endpoint }: Pick<CallData, 'endpoint'>): boolean => (endpoint as string) === NAME

/** The post of a call; undefined for any other call. */
export const postOf = (call: CallData): ChatPost | undefined =>
  isChatCall(call) ? (call.params as unknown as ChatPost) : undefined
