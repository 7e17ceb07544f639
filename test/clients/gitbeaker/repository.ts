// The repository of a project, by @gitbeaker/rest.
import { addFile, refusalOf, type Story } from './story.ts'

export const repository: Story[] = [
  {
    name: 'files are committed and read back, on a branch and with a tag',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const first = await client.Commits.create(id, 'master', 'Begin', [
        { action: 'create', filePath: 'docs/a b.md', content: 'ü\n' },
      ])
      expect(await client.Branches.create(id, 'fix/#1', 'master')).toMatchObject({
        name: 'fix/#1',
        commit: { id: first.id },
      })
      const second = await client.Commits.create(id, 'fix/#1', 'Change', [
        { action: 'update', filePath: 'docs/a b.md', content: 'two\n' },
      ])
      expect((await client.Commits.all(id, { refName: 'fix/#1' })).map((each) => each.id)).toEqual([
        second.id,
        first.id,
      ])
      expect(await client.Commits.show(id, second.id)).toMatchObject({ title: 'Change', parent_ids: [first.id] })
      expect(await client.RepositoryFiles.showRaw(id, 'docs/a b.md', 'fix/#1')).toBe('two\n')
      const file = await client.RepositoryFiles.show('root/app', 'docs/a b.md', 'master')
      expect(Buffer.from(String(file.content), 'base64').toString()).toBe('ü\n')
      expect((await client.Branches.all(id)).map(({ name }) => name)).toEqual(['fix/#1', 'master'])
      expect(await client.Branches.show(id, 'fix/#1')).toMatchObject({ merged: false })
      expect(await client.Tags.create(id, 'v1.0', 'master', { message: 'First' })).toMatchObject({
        name: 'v1.0',
        message: 'First',
      })
      expect(await client.Tags.all(id)).toMatchObject([{ name: 'v1.0' }])
      expect(await client.Tags.show(id, 'v1.0')).toMatchObject({ commit: { id: first.id } })
      await client.Tags.remove(id, 'v1.0')
      await client.Branches.remove(id, 'fix/#1')
      expect((await refusalOf(client.Branches.show(id, 'fix/#1')))[0]).toBe(404)
    },
  },
  {
    name: 'a commit is picked onto another branch',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      await addFile(client, id, 'master', 'a.txt')
      await client.Branches.create(id, 'stable', 'master')
      const fix = await addFile(client, id, 'master', 'b.txt')
      expect(await client.Commits.cherryPick(id, fix.id, 'stable')).toMatchObject({ title: 'Add b.txt' })
      expect(await client.RepositoryFiles.show(id, 'b.txt', 'stable')).toMatchObject({ file_name: 'b.txt' })
    },
  },
  {
    name: 'two branches are compared, and their common commit is found',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const first = await addFile(client, id, 'master', 'a.txt')
      await client.Branches.create(id, 'fix', 'master')
      const fix = await addFile(client, id, 'fix', 'b.txt')
      const compared = await client.Repositories.compare(id, 'master', 'fix')
      expect(compared).toMatchObject({ commit: { id: fix.id }, commits: [{ id: fix.id }] })
      expect(compared.diffs).toMatchObject([{ new_path: 'b.txt', new_file: true }])
      expect(await client.Repositories.mergeBase(id, ['master', 'fix'])).toMatchObject({ id: first.id })
    },
  },
  {
    name: 'commit statuses make a pipeline',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const commit = await addFile(client, id, 'master', 'a.txt')
      await client.Commits.editStatus(id, commit.id, 'running', { name: 'build', ref: 'master' })
      const done = await client.Commits.editStatus(id, commit.id, 'success', {
        name: 'build',
        ref: 'master',
        targetUrl: 'http://ci.example/1',
      })
      expect(done).toMatchObject({ status: 'success', name: 'build', target_url: 'http://ci.example/1' })
      expect(await client.Commits.allStatuses(id, commit.id, { all: true })).not.toHaveLength(0)
      const [pipeline] = await client.Pipelines.all(id, { ref: 'master' })
      expect(pipeline).toMatchObject({ sha: commit.id, status: 'success' })
      expect(await client.Pipelines.show(id, Number(pipeline?.id))).toMatchObject({ ref: 'master', status: 'success' })
      expect(await client.Jobs.all(id, { pipelineId: Number(pipeline?.id) })).toMatchObject([])
    },
  },
]
