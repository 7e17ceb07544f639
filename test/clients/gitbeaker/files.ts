// Files, folders and archives of a repository, threads with replies, labels and namespaces, by @gitbeaker/rest.
import { addFile, refusalOf, type Story } from './story.ts'

export const files: Story[] = [
  {
    name: 'a file is created, changed and removed, and its folder and an archive are read',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const written = await client.RepositoryFiles.create(id, 'docs/a b.md', 'master', 'one\n', 'Begin')
      expect(written).toEqual({ file_path: 'docs/a b.md', branch: 'master' })
      await client.RepositoryFiles.edit(id, 'docs/a b.md', 'master', 'two\n', 'Change')
      expect(await client.RepositoryFiles.showRaw(id, 'docs/a b.md', 'master')).toBe('two\n')
      const tree = await client.Repositories.allRepositoryTrees(id, { recursive: true })
      expect(tree.map(({ type, path }) => `${type} ${path}`)).toEqual(['tree docs', 'blob docs/a b.md'])
      expect(await client.Repositories.showArchive(id)).toBeTruthy()
      expect(await client.Repositories.showArchive(id, { fileType: 'zip', sha: 'master' })).toBeTruthy()
      await client.RepositoryFiles.remove(id, 'docs/a b.md', 'master', 'Remove')
      expect((await refusalOf(client.RepositoryFiles.show(id, 'docs/a b.md', 'master')))[0]).toBe(404)
    },
  },
  {
    name: 'a commit knows its merge requests',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      await addFile(client, id, 'master', 'a.txt')
      await client.Branches.create(id, 'fix', 'master')
      const fix = await addFile(client, id, 'fix', 'b.txt')
      await client.MergeRequests.create(id, 'fix', 'master', 'Fix')
      expect(await client.Commits.allMergeRequests(id, fix.id)).toMatchObject([{ iid: 1, title: 'Fix' }])
    },
  },
  {
    name: 'a thread on a line of a merge request and one of an issue get replies',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      await addFile(client, id, 'master', 'a.txt')
      await client.Branches.create(id, 'fix', 'master')
      await addFile(client, id, 'fix', 'b.txt')
      const { iid, diff_refs } = await client.MergeRequests.create(id, 'fix', 'master', 'Fix')
      const refs = diff_refs as { base_sha: string; head_sha: string; start_sha: string }
      const position = {
        ...{ baseSha: refs.base_sha, headSha: refs.head_sha, startSha: refs.start_sha },
        ...{ positionType: 'text' as const, oldPath: 'b.txt', newPath: 'b.txt', newLine: '1' },
      }
      const thread = await client.MergeRequestDiscussions.create(id, iid, 'Why?', { position })
      expect(thread.notes).toMatchObject([{ type: 'DiffNote', position: { new_path: 'b.txt', new_line: 1 } }])
      const reply = await client.MergeRequestDiscussions.addNote(id, iid, thread.id, 'Because', {
        noteId: Number(thread.notes?.[0]?.id),
      } as never)
      await client.MergeRequestDiscussions.editNote(id, iid, thread.id, reply.id, { body: 'Therefore' })
      expect(await client.MergeRequestDiscussions.show(id, iid, thread.id)).toMatchObject({
        notes: [{ body: 'Why?' }, { body: 'Therefore' }],
      })
      await client.MergeRequestDiscussions.removeNote(id, iid, thread.id, reply.id)
      const issue = await client.Issues.create(id, 'It breaks')
      const other = await client.IssueDiscussions.create(id, issue.iid, 'How?')
      const answer = await client.IssueDiscussions.addNote(id, issue.iid, other.id, 'So', { noteId: 0 } as never)
      await client.IssueDiscussions.editNote(id, issue.iid, other.id, answer.id, { body: 'Thus' } as never)
      await client.IssueDiscussions.removeNote(id, issue.iid, other.id, answer.id)
      expect(await client.IssueDiscussions.show(id, issue.iid, other.id)).toMatchObject({ notes: [{ body: 'How?' }] })
    },
  },
  {
    name: 'a label is renamed, and a milestone shown',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      await client.ProjectLabels.create(id, 'needs/review', '#ff0000')
      await client.ProjectLabels.edit(id, 'needs/review', { newName: 'reviewed' })
      expect(await client.ProjectLabels.show(id, 'reviewed')).toMatchObject({ name: 'reviewed', color: '#ff0000' })
      const milestone = await client.ProjectMilestones.create(id, 'v1', { startDate: '2099-01-01' })
      expect(await client.ProjectMilestones.show(id, milestone.id)).toMatchObject({ start_date: '2099-01-01' })
    },
  },
  {
    name: 'namespaces are found by path',
    async tell({ client }) {
      await client.Groups.create('Team', 'team')
      expect(await client.Namespaces.show('team')).toMatchObject({ kind: 'group', full_path: 'team', parent_id: null })
    },
  },
]
