// Names of projects, merge requests and issues: in the log as people write them, of issues as the journal stores them.
import { issueName, logNames } from '../../../src/bot/reporting/names.ts'
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { testContext } from '../test-context.ts'

test('the log names what it can by the path of the project, and an issue by its own number', async () => {
  const names = async (refs: readonly { project: number }[]) =>
    refs.map(({ project }) => (project === 7 ? { path: 'hotel/app' } : {}))
  const { journal } = testContext({ journal: { mergeRequests: { names } } })
  const refs = [{ project: 7, iid: 2 }, { project: 7 }, issueRef(7, 2), { project: 8, iid: 2 }, { project: 8 }]
  expect(await logNames(journal, [...refs, issueRef(8, 2)])).toEqual([
    ...['hotel/app!2', 'hotel/app', 'hotel/app#2', '!2 of project 8', 'project 8', '#2 of project 8'],
  ])
})

const url = 'https://code.example/hotel/app/-/issues/4'

test('the stored name of an issue is its title where everybody may read it', () => {
  expect(issueName({ title: 'A door sticks', url, confidential: false })).toEqual({ title: 'A door sticks', url })
  expect(issueName({ title: 'A door sticks', confidential: false })).toBeUndefined()
  expect(issueName({ url, confidential: false })).toBeUndefined()
})

test.each([true, undefined, null, 'false'])('it has no title where confidential is %s', (confidential) => {
  expect(issueName({ title: 'A secret', url, confidential })).toEqual({ title: 'a confidential issue', url })
  expect(issueName({ title: 'A secret', confidential })).toEqual({ title: 'a confidential issue', url: '' })
})
