// Issues, labels, milestones and wiki pages, by @gitbeaker/rest.
import { addFile, refusalOf, type Story } from './story.ts'

export const tracker: Story[] = [
  {
    name: 'an issue is opened, labelled, discussed and closed',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const issue = await client.Issues.create(id, 'It breaks', { description: 'Often', labels: 'bug,urgent' })
      expect(issue).toMatchObject({ iid: 1, state: 'opened', labels: ['bug', 'urgent'] })
      expect(await client.IssueNotes.create(id, issue.iid, 'Me too')).toMatchObject({
        body: 'Me too',
        noteable_type: 'Issue',
      })
      expect((await client.IssueNotes.all(id, issue.iid)).map(({ body }) => body)).toContain('Me too')
      expect(await client.Issues.edit(id, issue.iid, { stateEvent: 'close' })).toMatchObject({ state: 'closed' })
      expect(await client.Issues.show(issue.iid, { projectId: id })).toMatchObject({
        state: 'closed',
        title: 'It breaks',
      })
      expect(await client.Issues.all({ projectId: id, state: 'closed', iids: [1] })).toMatchObject([{ iid: 1 }])
      expect(await client.Issues.all({ projectId: id, state: 'opened' })).toEqual([])
    },
  },
  {
    name: 'labels and milestones are made, listed and changed',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      expect(await client.ProjectLabels.create(id, 'needs/review', '#ff0000')).toMatchObject({
        name: 'needs/review',
        color: '#ff0000',
      })
      expect((await refusalOf(client.ProjectLabels.create(id, 'needs/review', '#00ff00')))[0]).toBe(409)
      expect(await client.ProjectLabels.all(id)).toMatchObject([{ name: 'needs/review' }])
      await client.ProjectLabels.remove(id, 'needs/review')
      expect(await client.ProjectLabels.all(id)).toEqual([])
      const milestone = await client.ProjectMilestones.create(id, 'v1', { dueDate: '2099-12-31' })
      expect(milestone).toMatchObject({ title: 'v1', state: 'active', due_date: '2099-12-31' })
      expect(await client.ProjectMilestones.edit(id, milestone.id, { stateEvent: 'close' })).toMatchObject({
        state: 'closed',
      })
      expect(await client.ProjectMilestones.all(id, { state: 'closed' })).toMatchObject([{ title: 'v1' }])
      await client.ProjectMilestones.remove(id, milestone.id)
      expect(await client.ProjectMilestones.all(id)).toEqual([])
    },
  },
  {
    name: 'a wiki page is written, changed and removed',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const page = await client.ProjectWikis.create(id, 'Hello', 'First steps')
      expect(page).toMatchObject({ title: 'First steps', content: 'Hello', format: 'markdown' })
      expect(await client.ProjectWikis.edit(id, page.slug, { content: 'Hello again' })).toMatchObject({
        content: 'Hello again',
      })
      await client.ProjectWikis.remove(id, page.slug)
      expect((await refusalOf(client.ProjectWikis.remove(id, page.slug)))[0]).toBe(404)
    },
  },
  {
    name: 'a commit is released and deployed',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const commit = await addFile(client, id, 'master', 'a.txt')
      await client.ProjectReleases.create(id, { tagName: 'v1', name: 'One', description: 'First', ref: 'master' })
      await client.ProjectReleases.edit(id, 'v1', { name: 'The first' })
      expect(await client.ProjectReleases.show(id, 'v1')).toMatchObject({ tag_name: 'v1', name: 'The first' })
      expect(await client.ProjectReleases.all(id)).toHaveLength(1)
      await client.ProjectReleases.remove(id, 'v1')
      expect(await client.ProjectReleases.all(id)).toEqual([])
      const made = await client.Deployments.create(id, 'production', commit.id, 'master', false, { status: 'running' })
      expect(await client.Deployments.edit(id, made.id, 'success')).toMatchObject({ status: 'success' })
    },
  },
]
