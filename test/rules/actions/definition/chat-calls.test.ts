// The call that posts to a chat.
import { expect, test } from 'vitest'
import { endpointsByName } from '../../../../src/api/index.ts'
import { chatCall, postOf } from '../../../../src/rules/actions/definition/action-calls.ts'

test('a post is a call that goes to a chat, which no endpoint of the API is', () => {
  const post = { id: 1, merge_request_iid: 7, to: 'team-chat', text: 'Hello', key: 'k' }
  const call = chatCall(post)
  expect([call.to, postOf(call), endpointsByName.has(call.endpoint)]).toEqual(['chat', post, false])
})
