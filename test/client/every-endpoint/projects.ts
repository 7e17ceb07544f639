// Projects and what hangs on them, by our client.
import { expect } from 'vitest'
import { idOf, refused, type Story } from './story.ts'

const drive = (...names: string[]) => names.map((name) => `projects.${name}`)
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const projects: Story[] = [
  {
    name: 'projects are made, filtered, edited, archived and removed',
    drives: drive(
      ...['create', 'createForUser', 'list', 'ofUser', 'get', 'users', 'update', 'delete'],
      ...['archive', 'unarchive', 'star', 'unstar'],
    ),
    async tell({ client, as, person }) {
      const ada = await person('ada')
      const avatar = new File([Buffer.from(pixel, 'base64')], 'logo.png', { type: 'image/png' })
      const { body: app } = await client.projects.create({
        name: 'My App',
        visibility: 'public',
        tag_list: ['a', 'b'],
        wiki_enabled: false,
        avatar,
      })
      expect(app).toMatchObject({
        path: 'my-app',
        wiki_enabled: false,
        tag_list: ['a', 'b'],
        avatar_url: expect.stringMatching(/logo\.png$/),
      })
      const id = Number(app.id)
      await client.projects.createForUser({ user_id: ada.id, name: 'Hers', printing_merge_request_link_enabled: false })
      expect((await client.projects.get({ id: 'ada/hers' })).body.printing_merge_requests_link_enabled).toBe(false)
      expect((await ada.client.projects.ofUser({ user_id: 'ada' })).body.map(({ name }) => name)).toEqual(['Hers'])
      expect((await as('').projects.list({})).body.map(({ name }) => name)).toEqual(['My App'])
      expect(
        (await client.projects.list({ simple: true, order_by: 'name', sort: 'asc' })).body.map(
          (each) => Object.keys(each).length,
        ),
      ).toEqual([4, 4])
      expect((await client.projects.list({ custom_attributes: { team: 'blue' }, search: 'app' })).body).toEqual([])
      expect((await client.projects.get({ id, statistics: true })).body.statistics?.commit_count).toBe(0)
      expect((await client.projects.users({ id: 'ada/hers', search: 'ada' })).body).toMatchObject([{ username: 'ada' }])
      expect((await client.projects.update({ id, name: 'My App', description: '', tag_list: [] })).body).toMatchObject({
        tag_list: [],
        description: '',
      })
      expect([
        (await client.projects.archive({ id })).body.archived,
        (await client.projects.archive({ id })).body.archived,
      ]).toEqual([true, true])
      expect((await client.projects.list({ archived: true })).body).toHaveLength(1)
      expect((await client.projects.unarchive({ id })).body.archived).toBe(false)
      expect((await client.projects.star({ id })).body?.star_count).toBe(1)
      expect(await client.projects.star({ id })).toMatchObject({ status: 304, body: null })
      expect((await client.projects.unstar({ id })).body?.star_count).toBe(0)
      expect((await client.projects.unstar({ id })).status).toBe(304)
      await client.projects.delete({ id })
      expect((await refused(client.projects.get({ id })))[0]).toBe(404)
    },
  },
  {
    name: 'a project is forked, mirrored, shared and cleaned up, and takes files',
    drives: drive(
      ...['fork', 'forks', 'createForkRelation', 'deleteForkRelation', 'mirrorPull'],
      ...['share', 'unshare', 'upload', 'housekeeping'],
    ),
    async tell({ client, world }) {
      const id = await idOf(client.projects.create({ name: 'app' }))
      const group = await idOf(client.groups.create({ name: 'Copies', path: 'copies' }))
      await client.repository.commits.create({
        id,
        branch: 'master',
        commit_message: 'Begin',
        actions: [{ action: 'create', file_path: 'a', content: 'a' }],
      })
      const fork = await idOf(client.projects.fork({ id: 'root/app', namespace: 'copies' }))
      await world.sandbox.idle()
      expect((await client.projects.get({ id: fork })).body.import_status).toBe('finished')
      expect((await client.projects.forks({ id })).body.map((each) => each.id)).toEqual([fork])
      expect((await client.projects.deleteForkRelation({ id: fork })).status).toBe(204)
      expect((await client.projects.deleteForkRelation({ id: fork })).status).toBe(304)
      await client.projects.createForkRelation({ id: fork, forked_from_id: id })
      expect((await client.projects.get({ id: fork })).body.forked_from_project?.id).toBe(id)
      const mirror = await idOf(
        client.projects.create({ name: 'mirror', import_url: world.remote('root/app', 'root-token') }),
      )
      await world.sandbox.idle()
      await client.projects.mirrorPull({ id: mirror })
      await world.sandbox.idle()

      const share = { group_id: group, group_access: 30 } as const
      expect((await client.projects.share({ id, ...share, expires_at: '2099-12-31' })).body).toMatchObject({
        ...share,
        expires_at: '2099-12-31',
      })
      expect((await client.projects.unshare({ id, group_id: group })).status).toBe(204)
      const bytes = new Uint8Array(300_000).map((_, index) => index % 256)
      const { body } = await client.projects.upload({ id: 'root/app', file: new File([bytes], 'data.bin') })
      const file = await fetch(`${world.sandbox.url}/root/app${body.url}`, {
        headers: { 'private-token': 'root-token' },
      })
      expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
      await client.projects.housekeeping({ id })
    },
  },
  {
    name: 'branches are protected and no longer',
    drives: drive(...['create', 'list', 'delete'].map((name) => `protectedBranches.${name}`)),
    async tell({ client: { projects } }) {
      const id = await idOf(projects.create({ name: 'app' }))
      const { body: made } = await projects.protectedBranches.create({ id, name: 'release/*', push_access_level: 0 })
      expect(made).toMatchObject({ push_access_levels: [{ access_level: 0 }], allow_force_push: false })
      expect((await projects.protectedBranches.list({ id })).body).toEqual([made])
      expect((await projects.protectedBranches.delete({ id, name: 'release/*' })).status).toBe(204)
    },
  },
  {
    name: 'hooks, the push rule and the approval settings are kept without what is secret',
    drives: drive(
      ...['create', 'list', 'get', 'update', 'events', 'delete'].map((name) => `hooks.${name}`),
      ...['create', 'get', 'update', 'delete'].map((name) => `pushRule.${name}`),
      ...['get', 'update'].map((name) => `approvalSettings.${name}`),
    ),
    async tell({ client }) {
      const id = await idOf(client.projects.create({ name: 'app' }))
      const url = 'http://127.0.0.1:9/hook'
      const { body: hook } = await client.projects.hooks.create({
        id,
        url,
        token: 'hush',
        wiki_events: true,
        push_events: false,
      })
      expect(hook).toMatchObject({ wiki_page_events: true, push_events: false })
      const hook_id = Number(hook.id)
      expect((await client.projects.hooks.update({ id, hook_id, url, wiki_events: false })).body.wiki_page_events).toBe(
        false,
      )
      expect((await client.projects.hooks.list({ id })).body).toEqual([
        (await client.projects.hooks.get({ id, hook_id })).body,
      ])
      // Nothing has happened that it wanted to hear of.
      expect((await client.projects.hooks.events({ id, hook_id })).body).toEqual([])
      const statuses = [
        await client.projects.hooks.delete({ id, hook_id }),
        await client.projects.hooks.delete({ id, hook_id }),
      ]
      expect(statuses.map(({ status }) => status)).toEqual([200, 204])
      await client.projects.approvalSettings.update({ id, reset_approvals_on_push: true })
      expect((await client.projects.approvalSettings.get({ id })).body).toMatchObject({ reset_approvals_on_push: true })
      await client.projects.pushRule.create({ id, max_file_size: 5, file_name_regex: '\\.exe$' })
      expect((await refused(client.projects.pushRule.create({ id })))[0]).toBe(422)
      await client.projects.pushRule.update({ id, max_file_size: 0, member_check: false })
      expect((await client.projects.pushRule.get({ id })).body).toMatchObject({
        max_file_size: 0,
        file_name_regex: '\\.exe$',
      })
      expect((await client.projects.pushRule.delete({ id })).status).toBe(204)
      expect((await client.projects.pushRule.delete({ id })).status).toBe(204)
    },
  },
  {
    name: 'members of projects come, rise and go',
    drives: drive(
      ...['add', 'list', 'listAll', 'getDirect', 'get', 'update', 'remove'].map((name) => `members.${name}`),
    ),
    async tell({ client, person }) {
      const id = await idOf(client.projects.create({ name: 'app' }))
      const { id: user_id } = await person('ada')
      await client.projects.members.add({ id: 'root/app', user_id, access_level: 10 })
      expect((await client.projects.members.update({ id, user_id, access_level: 30 })).body.access_level).toBe(30)
      for (const list of [client.projects.members.list, client.projects.members.listAll]) {
        expect((await list({ id })).body.map(({ username }) => username)).toContain('ada')
      }
      for (const get of [client.projects.members.getDirect, client.projects.members.get]) {
        expect((await get({ id, user_id })).body).toMatchObject({ username: 'ada', access_level: 30 })
      }
      await client.projects.members.remove({ id, user_id })
      expect((await refused(client.projects.members.get({ id, user_id })))[0]).toBe(404)
    },
  },
]
