// One group with its projects and shares, and the list of its projects.
import { describe, expect, test } from 'vitest'
import { type Json, openWorld } from '../sandbox-world.ts'

describe('one group', () => {
  test('comes with its own projects and those that are shared with it, the newest first', async () => {
    const world = await openWorld()
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
    const inner = await world.done('POST', '/groups', { name: 'Inner', path: 'inner', parent_id: team.id })
    const make = async (name: string, namespace_id?: number) =>
      (await world.done('POST', '/projects', { name, namespace_id })).id
    const [one, two, shared] = [await make('one', team.id), await make('two', team.id), await make('shared')]
    await make('below', inner.id)
    await world.done('POST', `/projects/${shared}/share`, { group_id: team.id, group_access: 30 })
    const ended = await make('ended')
    const today = new Date().toISOString().slice(0, 10)
    await world.done('POST', `/projects/${ended}/share`, { group_id: team.id, group_access: 30, expires_at: today })
    const found = await world.done('GET', '/groups/team')
    const ids = (projects: Json[]) => projects.map(({ id }) => id)
    expect([ids(found.projects), ids(found.shared_projects)]).toEqual([[two, one], [shared]])
    expect(found.projects[0]).not.toHaveProperty('public')
    await world.done('DELETE', `/projects/${shared}/share/${team.id}`)
    expect((await world.done('GET', '/groups/team')).shared_projects).toEqual([])
  })

  test('shows only projects that the caller may see', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team', visibility: 'public' })
    for (const visibility of ['private', 'internal', 'public']) {
      await world.done('POST', '/projects', { name: visibility, namespace_id: team.id, visibility })
    }
    const seen = async (token: string | null) =>
      (await world.done('GET', `/groups/${team.id}`, undefined, token as string)).projects.map(({ name }: Json) => name)
    expect([await seen(null), await seen(ann.token), await seen('root-token')]).toEqual([
      ['public'],
      ['public', 'internal'],
      ['public', 'internal', 'private'],
    ])
  })

  test.each(['99', 'nothing', '..%2fapi', 'team%2F', '..%2f..', '0', '99999999999'])('%s is no group', async (id) => {
    const world = await openWorld()
    await world.done('POST', '/groups', { name: 'Team', path: 'team' })
    for (const path of ['', '/subgroups', '/projects']) {
      const answer = await world.call('GET', `/groups/${id}${path}`)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
    }
  })
})

describe('the projects of a group', () => {
  async function openTeam() {
    const world = await openWorld()
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team', visibility: 'public' })
    const inner = await world.done('POST', '/groups', { name: 'Inner', path: 'inner', parent_id: team.id })
    const make = (name: string, visibility: string, namespace_id = team.id) =>
      world.done('POST', '/projects', { name, visibility, namespace_id })
    const [beta, alpha, gamma] = [
      await make('Beta', 'private'),
      await make('alpha', 'public'),
      await make('gamma', 'internal'),
    ]
    await make('below', 'private', inner.id)
    const names = async (query: string, token: string | null = 'root-token') =>
      (await world.done('GET', `/groups/team/projects${query}`, undefined, token as string)).map(
        ({ name }: Json) => name,
      )
    return { world, team, beta, alpha, gamma, names }
  }

  test('are the direct ones, the newest first, and otherwise in the order asked for', async () => {
    const { names } = await openTeam()
    expect(await names('')).toEqual(['gamma', 'alpha', 'Beta'])
    expect(await names('?sort=asc')).toEqual(['Beta', 'alpha', 'gamma'])
    expect(await names('?order_by=name&sort=asc')).toEqual(['alpha', 'Beta', 'gamma'])
    for (const order of ['id', 'created_at', 'updated_at', 'last_activity_at']) {
      expect(await names(`?order_by=${order}&sort=asc`)).toEqual(['Beta', 'alpha', 'gamma'])
    }
  })

  test('are filtered by visibility, name, archive, star and owner', async () => {
    const { world, team, alpha, gamma, names } = await openTeam()
    const ann = await world.user('ann')
    await world.done('POST', `/projects/${alpha.id}/archive`)
    await world.done('POST', `/projects/${gamma.id}/star`, undefined, ann.token)
    await world.done('POST', `/projects/${gamma.id}/members`, { user_id: ann.id, access_level: 50 })
    expect(await names('?visibility=private')).toEqual(['Beta'])
    expect(await names('?search=AM')).toEqual(['gamma'])
    expect(await names('?search=team')).toEqual([])
    expect([await names('?archived=true'), await names('?archived=false')]).toEqual([['alpha'], ['gamma', 'Beta']])
    expect([await names('?starred=true', ann.token), await names('?starred=true')]).toEqual([['gamma'], []])
    expect([await names('?owned=true', ann.token), await names('?owned=true', null)]).toEqual([['gamma'], []])
    expect([await names('', null), await names('', ann.token)]).toEqual([['alpha'], ['gamma', 'alpha']])
    expect(team.visibility).toBe('public')
  })

  test('are shown in four fields when simple ones are wanted', async () => {
    const { world, alpha, names } = await openTeam()
    expect(await world.done('GET', '/groups/team/projects?simple=true&search=alpha')).toEqual([
      { id: alpha.id, web_url: alpha.web_url, name: 'alpha', path: 'alpha' },
    ])
    expect(await names('?simple=false&per_page=1')).toEqual(['gamma'])
  })
})
