// Budgets: what a part takes, the whole has no more.
import { createCallBudget, createClientBudget, OutOfCalls } from '../../../src/bot/service/call-budget.ts'
import { createClient } from '../../../src/client/create-client.ts'

test('a budget gives as much as it has, and counts calls apart from what is enqueued', () => {
  const budget = createCallBudget(3)
  const taken = (['call', 'evaluation', 'call', 'call'] as const).map((what) => budget.take(what))
  expect(taken).toEqual([true, true, true, false])
  expect([budget.calls, budget.left]).toEqual([2, 0])
})

test('a part ends with itself or with the whole, and leaves the rest to others', () => {
  const whole = createCallBudget(5)
  const part = whole.part(2)
  expect([part.take('call'), part.take('call'), part.take('call')]).toEqual([true, true, false])
  expect([whole.left, whole.calls]).toEqual([3, 2])
  const greedy = whole.part(100)
  expect(greedy.left).toBe(3)
  for (let n = 0; n < 3; n += 1) greedy.take('evaluation')
  expect([greedy.take('evaluation'), whole.take('call')]).toEqual([false, false])
})

/** A service of lists of two entries on each of `pages` pages; `asked` gets every request. */
function service(pages = 1) {
  const asked: string[] = []
  const client = createClient({
    baseUrl: 'http://service.test',
    token: 't',
    fetch: async (input) => {
      const url = new URL(String(input))
      const page = Number(url.searchParams.get('page') ?? 1)
      asked.push(`${url.pathname.replace('/api/v4', '')}#${page}`)
      const isList = /notes|merge_requests$/.test(url.pathname)
      const headers = {
        'content-type': 'application/json',
        ...(isList ? { 'x-next-page': page < pages ? String(page + 1) : '' } : {}),
      }
      return new Response(JSON.stringify(isList ? [{ id: page }, { id: page }] : { id: 1 }), { headers })
    },
  })
  return { client, asked }
}
const notes = { id: 1, merge_request_iid: 1 }

test('every call counts, and a call above the limit is not made', async () => {
  const { client, asked } = service()
  const budget = createClientBudget(client, 2)
  await budget.client.send('mergeRequests.get', { id: 1, merge_request_iid: 1 })
  await budget.client.send('mergeRequests.get', { id: 1, merge_request_iid: 2 })
  await expect(budget.client.send('mergeRequests.get', { id: 1, merge_request_iid: 3 })).rejects.toThrow(OutOfCalls)
  expect([budget.made(), asked.length]).toEqual([2, 2])
})

test('what is read of one issue is not shared with another', async () => {
  const { client, asked } = service()
  const budget = createClientBudget(client, 2)
  for (const id of [1, 2]) await budget.client.send('issues.get', { id, issue_iid: 1 })
  await expect(budget.client.send('issues.get', { id: 1, issue_iid: 1 })).rejects.toThrow(OutOfCalls)
  expect(asked).toHaveLength(2)
})

test('sources shared by all merge requests are read once', async () => {
  const { client, asked } = service()
  const budget = createClientBudget(client, 1)
  await Promise.all([1, 2, 3].map(() => budget.client.send('projects.get', { id: 1 })))
  expect([budget.made(), asked]).toEqual([1, ['/projects/1#1']])
})

test('each page is a call; a list is read to its end, to its most pages, or to the last call', async () => {
  const whole = createClientBudget(service(3).client, 9)
  expect(await whole.client.pages('mergeRequests.notes.list', notes, { maxPages: 20 }).collect()).toMatchObject({
    complete: true,
  })
  expect(whole.made()).toBe(3)
  const cut = createClientBudget(service(3).client, 2)
  const { items, complete } = await cut.client.pages('mergeRequests.notes.list', notes, { maxPages: 2 }).collect()
  expect([items.length, complete, cut.made()]).toEqual([4, false, 2])
  const { client, asked } = service(3)
  const out = createClientBudget(client, 2)
  await expect(out.client.pages('mergeRequests.notes.list', notes, { maxPages: 20 }).collect()).rejects.toThrow(
    OutOfCalls,
  )
  expect(asked).toHaveLength(2)
})
