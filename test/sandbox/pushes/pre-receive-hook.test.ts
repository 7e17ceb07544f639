// Push rules on git push.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { openProject } from '../sandbox-world.ts'

/** A project with a push rule, and a clone of it. */
async function ruled(rule: Record<string, unknown>) {
  const world = await openProject()
  await world.post('/projects/1/push_rule', rule)
  const clone = await world.clone('root/app')
  const push = (...args: string[]) => world.git(clone, 'push', ...args)
  const branches = async () => await world.list('name', '/projects/1/repository/branches')
  return { world, clone, push, branches }
}

describe('a push against the rule', () => {
  test('is refused with the reason; repaired, it passes', async () => {
    const { world, clone, push, branches } = await ruled({ commit_message_regex: '^[A-Z]' })
    const sha = await world.commit(clone, 'a.txt', 'a', 'fix it')
    const refused = await push('origin', 'HEAD:topic')
    expect(refused.code).toBe(1)
    expect(refused.output).toContain(
      `remote: GitLab: Commit message does not follow the pattern '^[A-Z]' (commit ${sha.slice(0, 8)})`,
    )
    expect(refused.output).toContain('pre-receive hook declined')
    expect(await branches()).toEqual(['master'])
    await world.git(clone, 'commit', '--quiet', '--amend', '-m', 'Fix it')
    expect((await push('origin', 'HEAD:topic')).code).toBe(0)
    expect(await branches()).toEqual(['master', 'topic'])
  })

  test('leaves no object behind and sends no hook', async () => {
    const { world, clone, push } = await ruled({ prevent_secrets: true })
    const hooks = await world.receiver({ push_events: true, tag_push_events: true })
    const sha = await world.commit(clone, 'id_rsa', 'secret')
    expect((await push('origin', 'HEAD:topic')).output).toContain(
      'remote: GitLab: File name id_rsa was prohibited by the pattern',
    )
    const found = await world.git(join(world.folder, 'repositories', '1.git'), 'cat-file', '-t', sha)
    expect(found.code).not.toBe(0)
    expect(await hooks.payloads()).toEqual([])
  })

  test('by one of its refs is refused whole', async () => {
    const { world, clone, push, branches } = await ruled({ branch_name_regex: '^feature/' })
    await world.commit(clone, 'a.txt', 'a')
    const refused = await push('origin', 'HEAD:feature/one', 'HEAD:other', 'HEAD:master')
    expect(refused.output).toContain("remote: GitLab: Branch name 'other' does not follow the pattern '^feature/'")
    expect(await branches()).toEqual(['master'])
    expect((await push('--atomic', 'origin', 'HEAD:feature/one', 'HEAD:master')).code).toBe(0)
    expect(await branches()).toEqual(['feature/one', 'master'])
  })

  test('is refused when it is forced too, and when the repository is empty', async () => {
    const { world, clone, push } = await ruled({ commit_message_regex: '^[A-Z]' })
    await world.git(clone, 'commit', '--quiet', '--amend', '-m', 'rewritten')
    expect((await push('--force', 'origin', 'HEAD:master')).output).toContain('Commit message does not follow')
    await world.post('/projects', { name: 'empty' })
    await world.post('/projects/2/push_rule', { commit_message_regex: '^[A-Z]' })
    expect((await push(world.remote('root/empty', 'root-token'), 'HEAD:master')).output).toContain(
      'Commit message does not follow',
    )
    expect(await world.get('/projects/2/repository/branches')).toEqual([])
  })

  test('prints unsafe branch names as text', async () => {
    const { world, clone, push } = await ruled({ branch_name_regex: '^feature/' })
    await world.commit(clone, 'a.txt', 'a')
    for (const name of ['$(id)', 'accept', 'ü"%s%n']) {
      const refused = await push('origin', `HEAD:refs/heads/${name}`)
      expect(refused.output).toContain(`Branch name '${name}' does not follow`)
    }
  })
})

describe('a push that keeps the rule', () => {
  test('of two thousand commits passes', async () => {
    const { clone, push } = await ruled({
      commit_message_regex: '^Number',
      author_email_regex: 'example',
      prevent_secrets: true,
    })
    const stream = Array.from({ length: 2000 }, (_, number) => {
      const message = `Number ${number}`
      const from = number === 0 ? 'from refs/heads/master^0\n' : ''
      return `commit refs/heads/many\ncommitter Ada <ada@example.com> ${1_700_000_000 + number} +0000\ndata ${message.length}\n${message}\n${from}M 644 inline ${number}.txt\ndata 1\nx\n`
    })
    const imported = spawnSync('git', ['-C', clone, 'fast-import', '--quiet'], { input: stream.join('') })
    expect(imported.status, String(imported.stderr)).toBe(0)
    const pushed = await push('origin', 'many')
    expect(pushed.code, pushed.output).toBe(0)
  })

  test('from existing commits, or from a shallow clone, passes', async () => {
    const { world, push } = await ruled({ commit_message_regex: '^Write' })
    expect((await push('origin', 'HEAD:copy')).code).toBe(0)
    await world.write('master', 'b.txt', 'b')
    const shallow = await world.clone('root/app')
    await world.git(shallow, 'fetch', '--quiet', '--depth', '1')
    await world.commit(shallow, 'c.txt', 'c')
    const pushed = await world.git(shallow, 'push', 'origin', 'HEAD:shallow')
    expect(pushed.code, pushed.output).toBe(0)
  })
})

test('refs/replace does not hide a commit from the check', async () => {
  const { world, clone, push } = await ruled({ commit_message_regex: '^Good' })
  const bad = await world.commit(clone, 'a.txt', 'a', 'bad')
  await world.git(clone, 'commit', '--quiet', '--amend', '-m', 'Good')
  await world.git(clone, 'replace', bad, 'HEAD')
  await push('origin', `refs/replace/${bad}:refs/replace/${bad}`)
  expect((await push('origin', `${bad}:refs/heads/topic`)).output).toContain('Commit message does not follow')
})
