// Tag push payloads: plain and annotated tags, and tags that go.
import { openProject } from '../sandbox-world.ts'

test('a tag push lists the tagged commit; for an annotated tag, `after` is the tag and the message is its own', async () => {
  const world = await openProject()
  const hooks = await world.receiver({ tag_push_events: true })
  const where = await world.clone('root/app')
  const head = (await world.git(where, 'rev-parse', 'HEAD')).output.trim()
  await world.git(where, 'tag', 'light')
  await world.git(where, 'tag', '--annotate', '--message', 'First\n\nOf many', 'v1')
  const annotated = (await world.git(where, 'rev-parse', 'v1')).output.trim()
  await world.push(where, 'light')
  await world.push(where, 'v1')
  await world.push(where, ':v1')
  await world.idle()
  const commits = [{ id: head, title: 'Begin', added: ['README.md'], modified: [], removed: [] }]
  expect(hooks.received.map(({ payload }) => payload)).toMatchObject([
    { ref: 'refs/tags/light', after: head, checkout_sha: head, message: null, commits, total_commits_count: 1 },
    {
      ref: 'refs/tags/v1',
      after: annotated,
      checkout_sha: head,
      message: 'First\n\nOf many',
      commits,
      total_commits_count: 1,
    },
    {
      ref: 'refs/tags/v1',
      before: annotated,
      after: '0'.repeat(40),
      checkout_sha: null,
      message: null,
      commits: [],
      total_commits_count: 0,
    },
  ])
})
