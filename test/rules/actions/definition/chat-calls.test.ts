// The call that posts to a chat is told from calls of the API.
import { expect, test } from 'vitest'
import { endpointsByName } from '../../../../src/api/index.ts'
import { chatCall, isChatCall, postOf } from '../../../../src/rules/actions/definition/chat-calls.ts'

const post = { id: 1, merge_request_iid: 7, to: 'team-chat', text: 'Hello', key: 'k' }

test('a post is a call that no endpoint of the API has', () => {
  const call = chatCall(post)
  expect([isChatCall(call), postOf(call), endpointsByName.has(call.endpoint)]).toEqual([true, post, false])
})
test('another call is no post', () => {
  const call = { endpoint: 'mergeRequests.update' as const, params: { ...post } }
  expect([isChatCall(call), postOf(call)]).toEqual([false, undefined])
})
