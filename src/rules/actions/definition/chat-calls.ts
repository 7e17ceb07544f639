// The call that posts to a chat. Bellhop's own queue delivers it.
import type { Call, OwnCall } from '../../types.ts'

export interface ChatPost {
  id: number
  merge_request_iid: number
  /** The name of the operator's destination. */
  to: string
  /** Plain text: markup and mentions of the chat are escaped if its kind is known. */
  text: string
  /** The page of the merge request or the project. */
  url?: string
  /** Equal for the same post, so that it is queued once. */
  key: string
}

export const chatCall = (post: ChatPost): OwnCall => ({ to: 'chat', endpoint: 'chat.post', params: { ...post } })

export const postOf = ({ params }: Pick<Call, 'params'>): ChatPost => params as unknown as ChatPost
