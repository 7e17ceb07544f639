// Groups, their members and directory links, by our client.
import { expect } from 'vitest'
import { idOf, refused, type Story } from './story.ts'

const drive = (...names: string[]) => names.map((name) => `groups.${name}`)

export const groups: Story[] = [
  {
    name: 'groups and the installation have hooks',
    drives: [
      ...['create', 'list', 'get', 'update', 'delete'].map((name) => `groups.hooks.${name}`),
      ...['create', 'list', 'update', 'delete'].map((name) => `systemHooks.${name}`),
    ],
    async tell({ client }) {
      const url = 'http://127.0.0.1:9/hook'
      const id = await idOf(client.groups.create({ name: 'Tools', path: 'tools' }))
      const ofGroup = await client.groups.hooks.create({ id, url, token: 'hush', confidential_note_events: true })
      expect(ofGroup.body).toMatchObject({ group_id: id, confidential_note_events: true, token_present: true })
      const params = { id, hook_id: Number(ofGroup.body.id) }
      const updated = await client.groups.hooks.update({ ...params, url, note_events: true })
      expect(updated.body).toMatchObject({ note_events: true, push_events: true, token_present: true })
      expect((await client.groups.hooks.list({ id })).body).toEqual([(await client.groups.hooks.get(params)).body])
      await client.groups.hooks.delete(params)
      expect((await refused(client.groups.hooks.get(params)))[0]).toBe(404)

      const system = await client.systemHooks.create({ url, merge_requests_events: true })
      const hook_id = Number(system.body.id)
      expect(system.body).toMatchObject({ push_events: false, merge_requests_events: true, token_present: false })
      expect((await client.systemHooks.update({ hook_id, url, token: 'hush' })).body.token_present).toBe(true)
      expect((await client.systemHooks.list({})).body).toMatchObject([{ id: hook_id, token_present: true }])
      await client.systemHooks.delete({ hook_id })
      expect((await client.systemHooks.list({})).body).toEqual([])
    },
  },
  {
    name: 'groups are made, nested, filtered, found and removed',
    drives: drive('create', 'list', 'subgroups', 'projects', 'get', 'update', 'transferProject', 'delete'),
    async tell({ client, as }) {
      const id = await idOf(
        client.groups.create({ name: 'Tools', path: 'tools', visibility: 'public', description: 'Ours' }),
      )
      const inner = await idOf(client.groups.create({ name: 'Inner', path: 'inner', parent_id: id }))
      const others = await idOf(client.groups.create({ name: 'Others', path: 'others' }))
      const names = async (params: Parameters<typeof client.groups.list>[0]) =>
        (await client.groups.list(params)).body.map(({ name }) => name)
      expect(await names({})).toEqual(['Inner', 'Others', 'Tools'])
      expect(await names({ order_by: 'path', sort: 'desc', skip_groups: [others] })).toEqual(['Tools', 'Inner'])
      expect((await client.groups.list({ search: 'TOO' })).body).toEqual([
        { id, name: 'Tools', path: 'tools', description: 'Ours' },
      ])
      expect((await client.groups.list({ statistics: true })).body[0]?.statistics).toMatchObject({ storage_size: 0 })
      expect((await as('').groups.list({})).body.map(({ name }) => name)).toEqual(['Tools'])
      expect(await names({ custom_attributes: { team: 'a & b' } })).toEqual([])
      expect((await client.groups.subgroups({ id: 'tools' })).body).toMatchObject([{ id: inner, parent_id: id }])

      const project = await idOf(client.projects.create({ name: 'App' }))
      await client.groups.transferProject({ id: 'tools/inner', project_id: 'root/app' })
      expect((await client.groups.projects({ id: inner, simple: true })).body).toMatchObject([
        { id: project, path: 'app' },
      ])
      const { body } = await client.groups.update({ id, description: '', request_access_enabled: false })
      expect(body).toMatchObject({ name: 'Tools', description: '', request_access_enabled: false, projects: [] })
      expect((await client.groups.get({ id: 'tools/inner' })).body).toMatchObject({
        projects: [{ id: project }],
        shared_projects: [],
      })
      await client.groups.delete({ id })
      expect((await refused(client.groups.get({ id: inner })))[0]).toBe(404)
    },
  },
  {
    name: 'links to a directory are added, and deleted for one provider or for all',
    drives: drive('ldapLinks.create', 'ldapLinks.delete', 'ldapLinks.deleteOfProvider', 'ldapSync'),
    async tell({ client }) {
      await client.groups.create({ name: 'Tools', path: 'tools' })
      const link = { id: 'tools', cn: 'R&D / staff', group_access: 30 } as const
      expect((await client.groups.ldapLinks.create({ ...link, provider: 'ldapmain' })).body).toMatchObject({
        cn: 'R&D / staff',
      })
      await client.groups.ldapLinks.create({ ...link, provider: 'second one' })
      await client.groups.ldapSync({ id: 'tools' })
      expect(
        (await client.groups.ldapLinks.deleteOfProvider({ id: 'tools', cn: link.cn, provider: 'second one' })).status,
      ).toBe(204)
      expect((await client.groups.ldapLinks.delete({ id: 'tools', cn: link.cn })).status).toBe(204)
      expect((await refused(client.groups.ldapLinks.delete({ id: 'tools', cn: link.cn })))[0]).toBe(404)
    },
  },
  {
    name: 'milestones of groups are made and found',
    drives: drive('milestones.create', 'milestones.list'),
    async tell({ client }) {
      const id = await idOf(client.groups.create({ name: 'Tools', path: 'tools' }))
      const { body } = await client.groups.milestones.create({ id, title: 'v1', due_date: '2099-12-31' })
      expect(body).toMatchObject({ group_id: id, title: 'v1' })
      expect((await client.groups.milestones.list({ id, include_parent_milestones: true })).body).toEqual([body])
    },
  },
  {
    name: 'members of groups come, rise and go',
    drives: drive(
      ...['add', 'list', 'listAll', 'getDirect', 'get', 'update', 'remove'].map((name) => `members.${name}`),
    ),
    async tell({ client, person }) {
      const id = await idOf(client.groups.create({ name: 'Tools', path: 'tools' }))
      const inner = await idOf(client.groups.create({ name: 'Inner', path: 'inner', parent_id: id }))
      const { id: user_id } = await person('ada')
      await client.groups.members.add({ id, user_id, access_level: 30, expires_at: '2099-01-01' })
      expect((await refused(client.groups.members.add({ id, user_id, access_level: 30 })))[0]).toBe(409)
      expect((await client.groups.members.list({ id, query: 'ad' })).body.map(({ username }) => username)).toContain(
        'ada',
      )
      expect((await client.groups.members.listAll({ id: inner })).body.map(({ username }) => username)).toContain('ada')
      expect(
        (await client.groups.members.update({ id, user_id, access_level: 40, expires_at: '' })).body,
      ).toMatchObject({
        expires_at: null,
      })
      expect((await client.groups.members.getDirect({ id, user_id })).body.access_level).toBe(40)
      expect((await client.groups.members.get({ id: inner, user_id })).body.access_level).toBe(40)
      await client.groups.members.remove({ id, user_id })
      expect((await refused(client.groups.members.getDirect({ id, user_id })))[0]).toBe(404)
    },
  },
]
