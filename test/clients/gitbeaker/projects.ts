// Projects and what hangs on them, by @gitbeaker/rest.
import { addFile, refusalOf, type Story, type StoryWorld } from './story.ts'

async function makeProject({ client }: StoryWorld, name = 'app'): Promise<number> {
  const { id } = await client.Projects.create({ name })
  await addFile(client, id, 'master', 'README.md')
  return id
}

export const projects: Story[] = [
  {
    name: 'who pushed to a project is listed',
    async tell(story) {
      const projectId = await makeProject(story)
      const events = await story.client.Events.all({ projectId, action: 'pushed' })
      expect(events.map((event) => event.push_data)).toMatchObject([{ ref: 'master' }])
    },
  },
  {
    name: 'a project is made, found, edited, archived and removed',
    async tell({ client, world }) {
      const { id: userId } = await world.user('ada')
      // Its types do not know all of these, though it sends them.
      const settings = { name: 'My App', visibility: 'public' as const, tagList: ['a', 'b'], issuesEnabled: false }
      const app = await client.Projects.create(settings)
      expect(app).toMatchObject({ path: 'my-app', visibility: 'public', tag_list: ['a', 'b'], issues_enabled: false })
      const hers = await client.Projects.create({ userId, name: 'Hers' })
      expect(await client.Users.allProjects('ada')).toMatchObject([{ id: hers.id }])
      expect(await client.Projects.search('my')).toMatchObject([{ id: app.id }])
      expect(await client.Projects.all({ simple: true, orderBy: 'name', sort: 'asc' })).toEqual([
        { id: hers.id, name: 'Hers', path: 'hers', web_url: hers.web_url },
        { id: app.id, name: 'My App', path: 'my-app', web_url: app.web_url },
      ])
      expect(await client.Projects.show('root/my-app', { statistics: true })).toMatchObject({
        id: app.id,
        statistics: { commit_count: 0 },
      })
      expect(await client.Projects.allUsers(hers.id, { search: 'ada' })).toMatchObject([{ username: 'ada' }])
      expect(await client.Projects.edit(app.id, { name: 'My App', description: 'It works' })).toMatchObject({
        description: 'It works',
      })
      const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      const avatar = { content: new Blob([Buffer.from(pixel, 'base64')]), filename: 'logo.png' }
      expect(await client.Projects.uploadAvatar(app.id, avatar)).toMatchObject({
        avatar_url: expect.stringMatching(/logo\.png$/),
      })
      expect(await client.Projects.archive(app.id)).toMatchObject({ archived: true })
      expect(await client.Projects.unarchive(app.id)).toMatchObject({ archived: false })
      await client.Projects.remove(app.id)
      expect((await refusalOf(client.Projects.show(app.id)))[0]).toBe(404)
    },
  },
  {
    name: 'a project is forked, related by hand, starred and unstarred',
    async tell(story) {
      const { client, world } = story
      const id = await makeProject(story)
      const group = await client.Groups.create('Copies', 'copies')
      const fork = await client.Projects.fork(id, { namespace: group.id })
      await world.sandbox.idle()
      expect(await client.Projects.show(fork.id)).toMatchObject({
        import_status: 'finished',
        forked_from_project: { id },
      })
      expect(await client.Projects.allForks(id)).toMatchObject([{ id: fork.id }])
      await client.Projects.removeForkRelationship(fork.id)
      expect(await client.Projects.allForks(id)).toEqual([])
      await client.Projects.createForkRelationship(fork.id, id)
      expect(await client.Projects.allForks(id)).toHaveLength(1)
      expect(await client.Projects.star(id)).toMatchObject({ star_count: 1 })
      expect((await refusalOf(client.Projects.star(id)))[0]).toBe(304)
      expect(await client.Projects.unstar(id)).toMatchObject({ star_count: 0 })
    },
  },
  {
    name: 'a project is shared, gets a file, is cleaned up and mirrored',
    async tell(story) {
      const { client, world } = story
      const id = await makeProject(story)
      const group = await client.Groups.create('Guests', 'guests')
      expect(await client.Projects.share(id, group.id, 30, { expiresAt: '2099-12-31' })).toMatchObject({
        group_id: group.id,
        group_access: 30,
      })
      expect(await client.Projects.show(id)).toMatchObject({
        shared_with_groups: [{ group_id: group.id, group_access_level: 30 }],
      })
      await client.Projects.unshare(id, group.id)
      expect(await client.Projects.show(id)).toMatchObject({ shared_with_groups: [] })
      const upload = await client.Projects.uploadForReference(id, {
        content: new Blob(['pixels']),
        filename: 'plan.png',
      })
      expect(upload).toMatchObject({ alt: 'plan', markdown: expect.stringContaining(`](${upload.url})`) })
      await client.Projects.housekeeping(id)
      const mirror = await client.Projects.create({ name: 'mirror', importUrl: world.remote('root/app', 'root-token') })
      await world.sandbox.idle()
      await addFile(client, id, 'master', 'more.txt')
      await client.Projects.createPullMirror(mirror.id, world.remote('root/app', 'root-token'), true)
      await world.sandbox.idle()
      expect(await client.Commits.show(mirror.id, 'master')).toMatchObject({ title: 'Add more.txt' })
    },
  },
  {
    name: 'hooks are added, shown, edited and removed',
    async tell(story) {
      const { client } = story
      const id = await makeProject(story)
      const hook = await client.ProjectHooks.add(id, 'http://127.0.0.1:9/hook', { token: 'hush', noteEvents: true })
      expect(hook).toMatchObject({ url: 'http://127.0.0.1:9/hook', note_events: true })
      expect(JSON.stringify(await client.ProjectHooks.all(id))).not.toContain('hush')
      expect(
        await client.ProjectHooks.edit(id, hook.id, 'http://127.0.0.1:9/other', { noteEvents: false }),
      ).toMatchObject({
        note_events: false,
      })
      expect(await client.ProjectHooks.show(id, hook.id)).toMatchObject({ url: 'http://127.0.0.1:9/other' })
      await client.ProjectHooks.remove(id, hook.id)
      expect(await client.ProjectHooks.all(id)).toEqual([])
      await client.ProjectHooks.remove(id, hook.id)
    },
  },
  {
    name: 'the approval settings are set and kept',
    async tell(story) {
      const id = await makeProject(story)
      const { MergeRequestApprovals } = story.client
      await MergeRequestApprovals.editConfiguration(id, { resetApprovalsOnPush: true })
      expect(await MergeRequestApprovals.showConfiguration(id)).toMatchObject({ reset_approvals_on_push: true })
    },
  },
  {
    name: 'a push rule is set, changed, kept and removed',
    async tell(story) {
      const { client } = story
      const id = await makeProject(story)
      expect(await client.ProjectPushRules.create(id, { commitMessageRegex: '^JIRA-', maxFileSize: 1 })).toMatchObject({
        max_file_size: 1,
      })
      const commit = (message: string) =>
        client.Commits.create(id, 'master', message, [{ action: 'create', filePath: 'a.txt', content: 'a' }])
      expect((await refusalOf(commit('No key')))[0]).toBe(400)
      await commit('JIRA-1 has one')
      expect(await client.ProjectPushRules.edit(id, { commitMessageRegex: '', denyDeleteTag: true })).toMatchObject({
        deny_delete_tag: true,
      })
      expect(await client.ProjectPushRules.show(id)).toMatchObject({ commit_message_regex: '', deny_delete_tag: true })
      await client.ProjectPushRules.remove(id)
      expect((await refusalOf(client.ProjectPushRules.show(id)))[0]).toBe(404)
    },
  },
  {
    name: 'members of a project come, rise and go',
    async tell(story) {
      const { client, world } = story
      const id = await makeProject(story)
      const { id: userId } = await world.user('ada')
      expect(await client.ProjectMembers.add(id, 20, { userId, expiresAt: '2099-01-01' })).toMatchObject({
        access_level: 20,
        expires_at: '2099-01-01',
      })
      expect((await client.ProjectMembers.all(id)).map(({ username }) => username)).toContain('ada')
      expect(
        (await client.ProjectMembers.all(id, { includeInherited: true })).map(({ username }) => username),
      ).toContain('ada')
      expect(await client.ProjectMembers.edit(id, userId, 30)).toMatchObject({ access_level: 30 })
      expect(await client.ProjectMembers.show(id, userId)).toMatchObject({ access_level: 30 })
      expect(await client.ProjectMembers.show(id, userId, { includeInherited: true })).toMatchObject({
        username: 'ada',
      })
      await client.ProjectMembers.remove(id, userId)
      expect((await refusalOf(client.ProjectMembers.show(id, userId)))[0]).toBe(404)
    },
  },
]
