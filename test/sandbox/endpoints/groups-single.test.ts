// One group with its projects and shares, and the list of its projects.
import { describe, expect } from 'vitest'
import { type Json, test } from '../sandbox-world.ts'

describe('one group', () => {
  test('comes with its own projects and those that are shared with it, the newest first', async ({ world }) => {
    const team = await world.group('Team')
    const inner = await world.group('Inner', { parent_id: team.id })
    const make = async (name: string, namespace_id?: number) =>
      (await world.post('/projects', { name, namespace_id })).id
    const [one, two, shared] = [await make('one', team.id), await make('two', team.id), await make('shared')]
    await make('below', inner.id)
    await world.post(`/projects/${shared}/share`, { group_id: team.id, group_access: 30 })
    const ended = await make('ended')
    const today = new Date().toISOString().slice(0, 10)
    await world.post(`/projects/${ended}/share`, { group_id: team.id, group_access: 30, expires_at: today })
    const found = await world.get('/groups/team')
    const ids = (projects: Json[]) => projects.map(({ id }) => id)
    expect([ids(found.projects), ids(found.shared_projects)]).toEqual([[two, one], [shared]])
    expect(found.projects[0]).not.toHaveProperty('public')
    await world.delete(`/projects/${shared}/share/${team.id}`)
    expect((await world.get('/groups/team')).shared_projects).toEqual([])
  })

  test('shows only projects that the caller may see', async ({ world }) => {
    const ann = await world.user('ann')
    const team = await world.group('Team', { visibility: 'public' })
    for (const visibility of ['private', 'internal', 'public']) {
      await world.post('/projects', { name: visibility, namespace_id: team.id, visibility })
    }
    const seen = async (token: string | null) =>
      (await world.get(`/groups/${team.id}`, token as string)).projects.map(({ name }: Json) => name)
    expect([await seen(null), await seen(ann.token), await seen('root-token')]).toEqual([
      ['public'],
      ['public', 'internal'],
      ['public', 'internal', 'private'],
    ])
  })
})
