// What `bellhop explain` names: a project, a merge request or an issue, also by its page.
import { namedSubject } from '../../../src/cli/commands/explain.ts'
import { UsageError } from '../../../src/cli/user-error.ts'

const service = 'https://git.example.com/code/'

test.each([
  ['hotel/app', { project: 'hotel/app', iid: 0 }],
  ['7', { project: '7', iid: 0 }],
  ['hotel/app!12', { project: 'hotel/app', iid: 12 }],
  ['hotel/app#12', { project: 'hotel/app', iid: 12, subject: 'issue' }],
  ['hotel/app#0', { project: 'hotel/app#0', iid: 0 }],
  ['https://git.example.com/code/hotel/app/-/merge_requests/12', { project: 'hotel/app', iid: 12 }],
  ['https://git.example.com/code/hotel/app/-/merge_requests/12/diffs', { project: 'hotel/app', iid: 12 }],
  ['https://git.example.com/code/hotel/app/-/issues/12', { project: 'hotel/app', iid: 12, subject: 'issue' }],
  ['https://git.example.com/code/hotel/app/-/issues/12#note_7', { project: 'hotel/app', iid: 12, subject: 'issue' }],
  ['https://GIT.example.com/code/a/b/c/-/work_items/3?x=1', { project: 'a/b/c', iid: 3, subject: 'issue' }],
])('%s', (text, expected) => {
  expect(namedSubject(text, service)).toEqual(expected)
})

test.each([
  ['https://evil.example.net/code/hotel/app/-/issues/12', /no page of the hosting service/],
  ['https://git.example.com/hotel/app/-/issues/12', /no page of the hosting service/],
  ['https://git.example.com/code/hotel/app/-/issues/12x', /no page of a merge request or an issue/],
  ['https://git.example.com/code/hotel/app/-/epics/12', /no page of a merge request or an issue/],
])('%s is refused', (text, message) => {
  expect(() => namedSubject(text, service)).toThrow(UsageError)
  expect(() => namedSubject(text, service)).toThrow(message)
})
