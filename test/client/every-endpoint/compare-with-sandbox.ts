// What clients need beside the page's resources, by our client: users, the repository, issues, labels, milestones, wiki pages.
import { expect } from 'vitest'
import { idOf, refused, type Story } from './story.ts'

const begin = {
  branch: 'master',
  commit_message: 'Begin',
  actions: [{ action: 'create' as const, file_path: 'docs/a b.md', content: 'ü\n' }],
}
const drive = (group: string, ...names: string[]) => names.map((name) => `${group}.${name}`)

export const beside: Story[] = [
  {
    name: 'users are made and sign in; the version is told',
    drives: [
      'version',
      ...drive('users', 'current', 'list', 'get', 'create', 'createToken', 'currentToken', 'rotateCurrentToken'),
      ...drive('users', 'status', 'setStatus'),
    ],
    async tell({ client, as }) {
      const id = await idOf(client.users.create({ username: 'ada', name: 'Ada', email: 'ada@example.com' }))
      const { body } = await client.users.createToken({ user_id: id, name: 'laptop', scopes: ['api'] })
      expect((await as(String(body.token)).users.current({})).body).toMatchObject({ id, username: 'ada' })
      const { name, expires_at } = (await as(String(body.token)).users.currentToken({})).body
      expect([name, expires_at]).toEqual(['laptop', body.expires_at])
      const rotated = (await as(String(body.token)).users.rotateCurrentToken({})).body
      expect(await refused(as(String(body.token)).users.current({}))).toEqual([401, '401 Unauthorized'])
      expect((await as(String(rotated.token)).users.current({})).body).toMatchObject({ id })
      await as(String(rotated.token)).users.setStatus({ availability: 'busy', message: 'Away' })
      expect((await client.users.status({ user_id: id })).body).toMatchObject({ availability: 'busy', message: 'Away' })
      expect((await client.users.list({ username: 'ada' })).body).toMatchObject([{ id }])
      expect((await client.users.get({ user_id: id })).body.name).toBe('Ada')
      expect((await client.version({})).body.version).toMatch(/^\d+\./)
      expect(await refused(as('wrong').users.current({}))).toEqual([401, '401 Unauthorized'])
    },
  },
  {
    name: 'an access token of a project signs its bot in',
    drives: ['projects.accessTokens.create'],
    async tell({ client, as }) {
      const id = await idOf(client.projects.create({ name: 'app' }))
      const given = { name: 'ci', scopes: ['api'], access_level: 30 as const }
      const { token, user_id, access_level } = (await client.projects.accessTokens.create({ id, ...given })).body
      expect(access_level).toBe(30)
      expect((await as(String(token)).users.current({})).body).toMatchObject({ id: user_id, bot: true })
    },
  },
  {
    name: 'the repository is written and read',
    drives: [
      ...drive('repository', 'mergeBase', 'compare'),
      ...drive('repository.branches', 'list', 'get', 'create', 'delete'),
      ...drive('repository.tags', 'list', 'get', 'create', 'delete'),
      ...drive('repository.commits', 'list', 'get', 'create', 'cherryPick'),
      ...drive('repository.files', 'get', 'raw'),
      ...drive('repository.statuses', 'list', 'create'),
      ...drive('repository.pipelines', 'list', 'get'),
    ],
    async tell({ client }) {
      const { repository } = client
      const id = await idOf(client.projects.create({ name: 'app' }))
      const { body: first } = await repository.commits.create({ id, ...begin })
      const sha = String(first.id)
      await repository.branches.create({ id, branch: 'fix/#1', ref: 'master' })
      expect((await repository.branches.get({ id, branch: 'fix/#1' })).body.commit?.id).toBe(sha)
      expect((await repository.branches.list({ id, search: 'fix' })).body).toHaveLength(1)
      const more = { branch: 'next', start_branch: 'master', commit_message: 'More' }
      const next = { ...more, actions: [{ action: 'create' as const, file_path: 'more.md', content: 'x' }] }
      const { body: second } = await repository.commits.create({ id, ...next })
      const picked = await repository.commits.cherryPick({ id, sha: String(second.id), branch: 'fix/#1' })
      expect(picked.body.message).toContain(`(cherry picked from commit ${String(second.id)})`)
      expect((await repository.mergeBase({ id, refs: ['master', 'next'] })).body.id).toBe(sha)
      const { diffs } = (await repository.compare({ id, from: 'master', to: 'next' })).body
      expect(diffs?.map(({ new_path }) => new_path)).toEqual(['more.md'])
      expect((await repository.branches.delete({ id, branch: 'fix/#1' })).status).toBe(204)
      await repository.tags.create({ id, tag_name: 'v1.0', ref: 'master', message: 'First' })
      expect((await repository.tags.list({ id })).body).toEqual([
        (await repository.tags.get({ id, tag_name: 'v1.0' })).body,
      ])
      expect((await repository.tags.delete({ id, tag_name: 'v1.0' })).status).toBe(204)
      expect((await repository.commits.list({ id, path: 'docs' })).body.map((each) => each.id)).toEqual([sha])
      expect((await repository.commits.get({ id, sha: 'master' })).body.title).toBe('Begin')
      expect((await repository.files.raw({ id: 'root/app', file_path: 'docs/a b.md', ref: 'master' })).body).toBe('ü\n')
      expect((await repository.files.get({ id, file_path: 'docs/a b.md', ref: 'master' })).body.size).toBe(3)
      await repository.statuses.create({ id, sha, state: 'success', name: 'build', ref: 'master' })
      expect((await repository.statuses.list({ id, sha, name: 'build' })).body).toMatchObject([{ status: 'success' }])
      const [pipeline] = (await repository.pipelines.list({ id, sha })).body
      expect((await repository.pipelines.get({ id, pipeline_id: Number(pipeline?.id) })).body.status).toBe('success')
    },
  },
  {
    name: 'releases and deployments are kept',
    drives: [
      ...drive('releases', 'list', 'get', 'create', 'update', 'delete'),
      ...drive('deployments', 'create', 'update'),
    ],
    async tell({ client }) {
      const { projects, repository, releases, deployments } = client
      const id = await idOf(projects.create({ name: 'app' }))
      const begin = { action: 'create' as const, file_path: 'a', content: 'b' }
      const made = await repository.commits.create({ id, branch: 'master', commit_message: 'Begin', actions: [begin] })
      const sha = String(made.body.id)
      const tag_name = 'v1/a'
      await releases.create({ id, tag_name, ref: 'master', name: 'One' })
      expect((await releases.update({ id, tag_name, description: 'First' })).body.description).toBe('First')
      expect((await releases.list({ id })).body).toEqual([(await releases.get({ id, tag_name })).body])
      expect((await releases.delete({ id, tag_name })).body).toMatchObject({ name: 'One', commit: { id: sha } })
      const deployed = { environment: 'staging', sha, ref: 'master', tag: false, status: 'running' as const }
      const deployment_id = await idOf(deployments.create({ id, ...deployed }))
      const { body } = await deployments.update({ id, deployment_id, status: 'success' })
      expect(body).toMatchObject({ id: deployment_id, status: 'success' })
    },
  },
  {
    name: 'issues, labels, milestones and wiki pages are kept',
    drives: [
      ...drive('issues', 'create', 'update'),
      ...drive('milestones', 'list', 'create', 'update', 'delete'),
      ...drive('labels', 'list', 'create', 'delete'),
      ...drive('wikis', 'create', 'update', 'delete'),
    ],
    async tell({ client }) {
      const { issues, milestones, labels, wikis } = client
      const id = await idOf(client.projects.create({ name: 'app' }))
      const milestone_id = await idOf(milestones.create({ id, title: 'v1', due_date: '2099-12-31' }))
      expect((await milestones.update({ id, milestone_id, due_date: '' })).body.due_date).toBeNull()
      expect((await milestones.list({ id, title: 'v1' })).body).toMatchObject([{ id: milestone_id, title: 'v1' }])
      await issues.create({ id, title: 'Broken', labels: 'bug', milestone_id })
      expect(
        (await issues.update({ id, issue_iid: 1, milestone_id: 0, labels: '', state_event: 'close' })).body,
      ).toMatchObject({
        milestone: null,
        labels: [],
      })
      expect((await milestones.delete({ id, milestone_id })).status).toBe(204)
      await labels.create({ id, name: 'a/b', color: '#ff0000' })
      expect((await labels.list({ id, search: 'a/' })).body).toHaveLength(1)
      expect((await labels.delete({ id, label: 'a/b' })).status).toBe(204)
      const { body: page } = await wikis.create({ id, title: 'First steps', content: 'Hello' })
      const slug = String(page.slug)
      expect((await wikis.update({ id, slug, content: 'Hello again' })).body.content).toBe('Hello again')
      expect((await wikis.delete({ id, slug })).status).toBe(204)
    },
  },
]
