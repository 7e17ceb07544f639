// Groups, their members and directory links, by @gitbeaker/rest.
import { refusalOf, type Story } from './story.ts'

export const groups: Story[] = [
  {
    name: 'a group with a subgroup and projects is made, found, changed and removed',
    async tell({ client }) {
      const group = await client.Groups.create('Tools', 'tools', { visibility: 'public', description: 'What we use' })
      const inner = await client.Groups.create('Inner', 'inner', { parentId: group.id })
      expect(inner).toMatchObject({ full_path: 'tools/inner', parent_id: group.id })
      expect(await client.Groups.allSubgroups('tools')).toMatchObject([{ id: inner.id }])
      expect(
        (await client.Groups.all({ orderBy: 'path', sort: 'desc', topLevelOnly: false })).map(({ path }) => path),
      ).toEqual(['tools', 'inner'])
      expect(await client.Groups.all({ skipGroups: [group.id] })).toMatchObject([{ id: inner.id }])
      const found = await client.Groups.search('too')
      expect(found).toEqual([{ id: group.id, name: 'Tools', path: 'tools', description: 'What we use' }])

      const project = await client.Projects.create({ name: 'Hammer', namespaceId: group.id })
      const other = await client.Projects.create({ name: 'Saw' })
      await client.Groups.transferProject('tools', other.id)
      expect((await client.Groups.allProjects('tools', { orderBy: 'name', sort: 'asc' })).map(({ id }) => id)).toEqual([
        project.id,
        other.id,
      ])
      const renamed = await client.Groups.edit(group.id, { name: 'Toolbox', requestAccessEnabled: false })
      expect(renamed).toMatchObject({ name: 'Toolbox', request_access_enabled: false })
      expect(await client.Groups.show('tools')).toMatchObject({
        name: 'Toolbox',
        projects: [{}, {}],
        shared_projects: [],
      })

      await client.Groups.remove('tools')
      expect(await refusalOf(client.Groups.show('tools'))).toEqual([404, '404 Group Not Found'])
      expect(await refusalOf(client.Projects.show(project.id))).toEqual([404, '404 Project Not Found'])
    },
  },
  {
    name: 'a list of three pages is read to its end, or as far as is wanted',
    async tell({ client }) {
      for (const name of ['a', 'b', 'c', 'd', 'e']) await client.Groups.create(name, name)
      expect((await client.Groups.all({ perPage: 2 })).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(await client.Groups.all({ perPage: 2, maxPages: 2 })).toHaveLength(4)
      const { data, paginationInfo } = await client.Groups.all({
        pagination: 'offset',
        perPage: 2,
        page: 3,
        showExpanded: true,
      })
      expect(data).toMatchObject([{ name: 'e' }])
      expect(paginationInfo).toEqual({ total: 5, next: null, current: 3, previous: 2, perPage: 2, totalPages: 3 })
    },
  },
  {
    name: 'members of a group come, rise and go',
    async tell({ client, world }) {
      const group = await client.Groups.create('Tools', 'tools')
      const inner = await client.Groups.create('Inner', 'inner', { parentId: group.id })
      const { id: userId } = await world.user('ada')
      expect(await client.GroupMembers.add(group.id, 30, { userId })).toMatchObject({
        username: 'ada',
        access_level: 30,
      })
      expect((await client.GroupMembers.all(group.id)).map(({ username }) => username)).toContain('ada')
      expect(await client.GroupMembers.all(inner.id, { includeInherited: true, query: 'ad' })).toMatchObject([{}, {}])
      expect(await client.GroupMembers.edit(group.id, userId, 40)).toMatchObject({ access_level: 40 })
      expect(await client.GroupMembers.show(group.id, userId)).toMatchObject({ access_level: 40 })
      expect(await client.GroupMembers.show(inner.id, userId, { includeInherited: true })).toMatchObject({
        access_level: 40,
      })
      await client.GroupMembers.remove(group.id, userId)
      expect((await refusalOf(client.GroupMembers.show(group.id, userId)))[0]).toBe(404)
    },
  },
  {
    name: 'a group is linked with a directory',
    async tell({ client }) {
      const group = await client.Groups.create('Tools', 'tools')
      const link = await client.GroupLDAPLinks.add(group.id, 30, 'ldapmain', { cn: 'R&D staff' })
      expect(link).toMatchObject({ cn: 'R&D staff', group_access: 30, provider: 'ldapmain' })
      await client.GroupLDAPLinks.sync(group.id)
    },
  },
  {
    name: 'a group and the installation have hooks',
    async tell({ client }) {
      const url = 'http://127.0.0.1:9/hook'
      const group = await client.Groups.create('Tools', 'tools')
      const hook = await client.GroupHooks.add(group.id, url, { token: 'hush', noteEvents: true })
      expect(hook).toMatchObject({ url, note_events: true })
      expect(await client.GroupHooks.edit(group.id, hook.id, url, { noteEvents: false })).toMatchObject({
        note_events: false,
      })
      expect(await client.GroupHooks.show(group.id, hook.id)).toMatchObject({ id: hook.id })
      await client.GroupHooks.remove(group.id, hook.id)
      expect(await client.GroupHooks.all(group.id)).toEqual([])
      const system = await client.SystemHooks.add(url, { mergeRequestsEvents: true })
      expect(await client.SystemHooks.all()).toMatchObject([{ url, merge_requests_events: true }])
      await client.SystemHooks.remove(system.id)
      expect(await client.SystemHooks.all()).toEqual([])
    },
  },
]
