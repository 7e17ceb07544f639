// What is said of a group with more members than are read.
import { membersNamed } from '../../../src/cli/check/online.ts'
import { serves, servesList } from '../../bot/service-answers.ts'
import { makeClient, playService, service } from '../../client/world.ts'

playService()

const person = (id: number) => ({ id, username: `user${id}`, state: 'active', access_level: 30 })
const hundred = (page: number) => Array.from({ length: 100 }, (_, index) => person(100 * (page - 1) + index + 1))

test('of 5,000 members 2,000 are counted, and it is unknown who else is there', async () => {
  serves('/user', person(9999))
  // Of those who may approve one is not among the members that were read.
  servesList('/projects/7/members/all', [person(1), person(4000)])
  const pages: number[] = []
  service()
    .persist()
    .get('/groups/acme%2Fweb/members')
    .query(true)
    .reply((uri) => {
      const page = Number(new URL(uri, 'http://localhost').searchParams.get('page') ?? 1)
      pages.push(page)
      return [200, hundred(page), { 'x-next-page': page < 50 ? String(page + 1) : '' }]
    })
  const members = { group: 'acme/web' }
  const mention = { kind: 'group' as const, name: 'acme/web', path: ['rules'], members, consents: true }
  const { information, warnings } = await membersNamed([mention], { client: makeClient().client, project: 7 })
  expect(information.map(({ message }) => message)).toEqual([
    'who is a direct member of acme/web, other than Bellhop: at least 2000 people',
  ])
  expect(warnings.map(({ message }) => message)).toEqual([
    'acme/web has more members than are read: whether others are members is unknown',
  ])
  expect(pages).toHaveLength(20)
})
