// What a push rule finds wrong with the commits, files, branches and tags of a push.
import { noCommit } from '../../../src/sandbox/git/refs.ts'
import { type Complaint, checkPush, noLimits, type PushLimits } from '../../../src/sandbox/pushes/check-push.ts'
import type { Project } from '../../../src/sandbox/records/records.ts'
import { openBareWorld } from '../git/bare-world.ts'

const project = { id: 1, default_branch: 'master' } as Project
const texts = (complaints: Complaint[]) => complaints.map(({ text }) => text)

/** A repository with one commit on master, and a check of heads that would be pushed. */
async function repository() {
  const bare = await openBareWorld()
  await bare.make(1)
  const first = await bare.commit(1, 'refs/heads/master', null, 'first')
  const check = async (limits: Partial<PushLimits>, after: string, ref = 'refs/heads/topic', before = noCommit) => {
    const rule = { id: 1, project_id: 1, created_at: '', ...noLimits, ...limits }
    return texts(await checkPush(bare.world, project, rule, [{ ref, before, after }]))
  }
  return { ...bare, first, check }
}

test('every new message must match; existing commits are not checked', async () => {
  const { record, first, check } = await repository()
  const good = await record(1, { parents: [first], files: { a: '1' }, message: 'Fix: one\n\nbody' })
  const bad = await record(1, { parents: [good], files: { a: '2' }, message: 'two' })
  const last = await record(1, { parents: [bad], files: { a: '3' }, message: 'Fix: three' })
  expect(await check({ commit_message_regex: '^Fix: ' }, good)).toEqual([])
  expect(await check({ commit_message_regex: '^Fix: ' }, last)).toEqual([
    "Commit message does not follow the pattern '^Fix: '",
  ])
  expect(await check({ commit_message_regex: '^Fix: ' }, first, 'refs/heads/copy')).toEqual([])
})

test('every author’s e-mail must match; the committer’s is not checked', async () => {
  const { record, first, check } = await repository()
  const stranger = await record(1, { parents: [first], files: { a: '1' }, email: 'eve@evil.test' })
  const own = await record(1, { parents: [first], files: { a: '1' }, email: 'bob@corp.test' })
  expect(await check({ author_email_regex: '@corp\\.test$' }, stranger)).toEqual([
    "Author's email 'eve@evil.test' does not follow the pattern '@corp\\.test$'",
  ])
  expect(await check({ author_email_regex: '@corp\\.test$' }, own)).toEqual([])
})

test('the author must be a user of the service, in any case of letters', async () => {
  const { world, record, first, check } = await repository()
  world.users.add({
    id: 1,
    namespace_id: 1,
    username: 'bob',
    name: 'Bob',
    email: 'Bob@Corp.test',
    state: 'active',
    bot: false,
    is_admin: false,
    can_create_group: true,
    created_at: '2026-01-01T00:00:00.000Z',
  })
  const bob = await record(1, { parents: [first], files: { a: '1' }, email: 'bob@corp.TEST' })
  const eve = await record(1, { parents: [bob], files: { a: '2' }, email: 'eve@evil.test' })
  expect(await check({ member_check: true }, bob)).toEqual([])
  expect(await check({ member_check: true }, eve)).toEqual(["Author 'eve@evil.test' is not a member of team"])
})

test('a merge is checked with the commits of both sides', async () => {
  const { record, commit, first, check } = await repository()
  const side = await record(1, { parents: [first], files: { side: '1' }, message: 'side' })
  const main = await commit(1, 'refs/heads/master', first, 'main')
  const merge = await record(1, { parents: [main, side], files: { side: '1' }, message: 'merge' })
  expect(await check({ commit_message_regex: '^X' }, merge)).toHaveLength(2)
})

test('at most ten problems are reported', async () => {
  const { record, first, check } = await repository()
  let head = first
  for (let number = 0; number < 15; number += 1)
    head = await record(1, { parents: [head], files: {}, message: `${number}` })
  expect(await check({ commit_message_regex: '^X' }, head)).toHaveLength(10)
})

describe('files', () => {
  test('added, changed and renamed ones must not match; removed ones may', async () => {
    const { record, commit, check } = await repository()
    const base = await record(1, { files: { 'old.exe': 'x', 'plain.txt': 'plain' } })
    await commit(1, 'refs/heads/master', base, 'on')
    const rule = { file_name_regex: '\\.exe$' }
    const complaint = (name: string) => [`File name ${name} was prohibited by the pattern "\\.exe$"`]
    expect(await check(rule, await record(1, { parents: [base], files: { 'dir/new.exe': 'y' } }))).toEqual(
      complaint('dir/new.exe'),
    )
    expect(await check(rule, await record(1, { parents: [base], files: { 'old.exe': 'y' } }))).toEqual(
      complaint('old.exe'),
    )
    expect(
      await check(rule, await record(1, { parents: [base], files: { 'plain.txt': null, 'plain.exe': 'plain' } })),
    ).toEqual(complaint('plain.exe'))
    expect(await check(rule, await record(1, { parents: [base], files: { 'old.exe': null } }))).toEqual([])
  })

  test('a file that a later commit of the push removes is still refused', async () => {
    const { record, first, check } = await repository()
    const added = await record(1, { parents: [first], files: { id_rsa: 'secret' } })
    const removed = await record(1, { parents: [added], files: { id_rsa: null } })
    expect(await check({ prevent_secrets: true }, removed)).toEqual([
      expect.stringContaining('File name id_rsa was prohibited'),
    ])
  })

  test('of a merge, only files that no parent has are checked', async () => {
    const { record, commit, first, check } = await repository()
    const theirs = await commit(
      1,
      'refs/heads/theirs',
      await record(1, { parents: [first], files: { 'key.pem': 'x' } }),
      'theirs',
    )
    const own = await record(1, { parents: [first], files: { own: '1' } })
    const clean = await record(1, { parents: [own, theirs], files: { 'key.pem': 'x' } })
    const evil = await record(1, { parents: [own, theirs], files: { 'key.pem': 'x', 'other.pem': 'y' } })
    expect(await check({ prevent_secrets: true }, clean)).toEqual([])
    expect(await check({ prevent_secrets: true }, evil)).toEqual([expect.stringContaining('other.pem')])
  })

  test('larger than allowed are refused, to the byte', async () => {
    const { record, first, check } = await repository()
    const megabyte = Buffer.alloc(1024 * 1024)
    const fits = await record(1, { parents: [first], files: { 'a.bin': megabyte } })
    const larger = await record(1, { parents: [first], files: { 'b.bin': Buffer.concat([megabyte, Buffer.alloc(1)]) } })
    expect(await check({ max_file_size: 1 }, fits)).toEqual([])
    expect(await check({ max_file_size: 1 }, larger)).toEqual(['File "b.bin" is larger than the allowed size of 1 MB'])
    expect(await check({ max_file_size: 2 }, larger)).toEqual([])
  })

  test('unsafe file names are printed as text', async () => {
    const { world, say, first, check } = await repository()
    const blob = await say(1, 'rev-parse', `${first}:file.txt`)
    const name = 'a\u001b[31m\n:000000 x.pem'
    const input = `100644 blob ${blob}\t${name}\0`
    const tree = (await world.git.text(`${world.folder}/1.git`, ['mktree', '-z'], { input })).trim()
    const commit = (await world.git.text(`${world.folder}/1.git`, ['commit-tree', tree, '-p', first, '-m', 'x'])).trim()
    expect(await check({ prevent_secrets: true }, commit)).toEqual([
      'File name a\ufffd[31m\ufffd:000000 x.pem was prohibited by the pattern "\\.(?:pem|key)$"',
    ])
  })
})

test('a branch name must match, made or moved; removed it need not; the default branch is exempt', async () => {
  const { first, check } = await repository()
  const rule = { branch_name_regex: '^feature/' }
  const complaint = ["Branch name 'topic' does not follow the pattern '^feature/'"]
  expect(await check(rule, first)).toEqual(complaint)
  expect(await check(rule, first, 'refs/heads/topic', 'f'.repeat(40))).toEqual(complaint)
  expect(await check(rule, noCommit, 'refs/heads/topic', first)).toEqual([])
  expect(await check(rule, first, 'refs/heads/master')).toEqual([])
  expect(await check(rule, first, 'refs/heads/feature/one')).toEqual([])
  expect(await check(rule, first, 'refs/tags/topic')).toEqual([])
})

test('a tag may be made and moved, but not removed', async () => {
  const { first, check } = await repository()
  expect(await check({ deny_delete_tag: true }, noCommit, 'refs/tags/v1', first)).toEqual([
    "You cannot delete a tag: 'v1'",
  ])
  expect(await check({ deny_delete_tag: true }, first, 'refs/tags/v1', 'f'.repeat(40))).toEqual([])
  expect(await check({ deny_delete_tag: true }, noCommit, 'refs/heads/v1', first)).toEqual([])
})

test('commits pushed with a tag or any other ref are checked', async () => {
  const { record, first, check } = await repository()
  const bad = await record(1, { parents: [first], files: {}, message: 'bad' })
  for (const ref of ['refs/tags/v1', 'refs/notes/x'])
    expect(await check({ commit_message_regex: '^X' }, bad, ref)).toHaveLength(1)
})
