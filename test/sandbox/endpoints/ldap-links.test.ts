// Links to groups of a directory service: kept, answered, removed; nothing is synchronised.
import { openWorld } from '../sandbox-world.ts'

const link = { cn: 'R & D people/all', group_access: 30, provider: 'ldapmain' }
const cn = encodeURIComponent(link.cn)

async function openTeam() {
  const world = await openWorld()
  const team = await world.group('Team')
  const path = `/groups/${team.id}/ldap_group_links`
  const status = async (method: string, rest: string, body?: unknown, token?: string) =>
    await world.status(method, `${path}${rest}`, body, token)
  return { world, team, path, status }
}

test('a link is made with a name that has spaces, `&` and a slash, once for each provider', async () => {
  const { world, path } = await openTeam()
  expect(await world.post(path, link)).toEqual(link)
  expect(await world.answer('POST', path, { ...link, group_access: 40 })).toEqual([
    409,
    { message: 'Cn has already been taken' },
  ])
  await world.post(path, { ...link, provider: 'other' })
})

test('deleting by name removes it for every provider, and then there is none', async () => {
  const { world, path, status } = await openTeam()
  for (const provider of ['ldapmain', 'other']) await world.post(path, { ...link, provider })
  await world.post(path, { ...link, cn: 'R & D' })
  expect(await status('DELETE', `/${cn}`)).toBe(204)
  for (const rest of [`/${cn}`, `/ldapmain/${cn}`, `/other/${cn}`]) {
    expect(await world.answer('DELETE', `${path}${rest}`)).toEqual([404, { message: '404 LDAP Group Link Not Found' }])
  }
  expect(await status('DELETE', `/${encodeURIComponent('R & D')}`)).toBe(204)
})

test('deleting for one provider leaves the others', async () => {
  const { world, path, status } = await openTeam()
  for (const provider of ['ldapmain', 'other']) await world.post(path, { ...link, provider })
  expect([await status('DELETE', `/ldapmain/${cn}`), await status('DELETE', `/ldapmain/${cn}`)]).toEqual([204, 404])
  expect(await status('DELETE', `/other/${cn}`)).toBe(204)
})

test('a sync is accepted and says that there is no directory here', async () => {
  const { world, path, team } = await openTeam()
  await world.post(path, link)
  expect(await world.answer('POST', `/groups/${team.id}/ldap_sync`)).toEqual([
    202,
    {
      message:
        '202 Accepted - there is no directory behind this sandbox: the 1 link of this group is kept, and nobody was added or removed',
    },
  ])
})

test('only owners and administrators do any of it', async () => {
  const { world, team, path, status } = await openTeam()
  const [ann, ben] = await world.people('ann', 'ben')
  await world.join(ann, 40, `groups/${team.id}`)
  await world.post(path, link)
  const all = async (token: string) => [
    await status('POST', '', { ...link, cn: 'new' }, token),
    await status('DELETE', `/${cn}`, undefined, token),
    await status('DELETE', `/ldapmain/${cn}`, undefined, token),
    await world.status('POST', `/groups/${team.id}/ldap_sync`, undefined, token),
  ]
  expect(await all(ann.token)).toEqual([403, 403, 403, 403])
  expect(await all(ben.token)).toEqual([404, 404, 404, 404])
  await world.put(`/groups/${team.id}/members/${ann.id}`, { access_level: 50 })
  expect(await all(ann.token)).toEqual([201, 204, 404, 202])
})
