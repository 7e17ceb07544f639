// Changes as git finds them: new, changed, renamed, deleted, binary, modes, many; and what garbage collection keeps.
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { collectGarbage } from '../../../src/sandbox/git/repository.ts'
import { mr, test } from '../sandbox-world.ts'
import { openBareWorld } from './bare-world.ts'

test('each kind of change is shown', async ({ withProject: world }) => {
  const clone = await world.clone('root/app')
  const long = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n')
  for (const [path, content] of Object.entries({
    'move.txt': long,
    'gone.txt': 'gone\n',
    'run.sh': 'run\n',
    'kind.txt': 'file\n',
    'same.txt': 'same\n',
  })) {
    await writeFile(join(clone, path), content)
  }
  await world.commit(clone, 'more.txt', 'more\n')
  await world.push(clone, 'master')
  await world.git(clone, 'checkout', '--quiet', '-b', 'feature')
  await mkdir(join(clone, 'sub'))
  await world.git(clone, 'mv', 'move.txt', 'sub/moved.txt')
  await rm(join(clone, 'gone.txt'))
  await chmod(join(clone, 'run.sh'), 0o755)
  await rm(join(clone, 'kind.txt'))
  await symlink('same.txt', join(clone, 'kind.txt'))
  await writeFile(join(clone, 'bytes.bin'), Buffer.from([0, 1, 2, 255]))
  await writeFile(join(clone, 'tab\tand ü.txt'), 'x\n')
  await writeFile(join(clone, 'more.txt'), 'more\ndiff --git a/x b/x\n')
  await world.commit(clone, 'README.md', 'one\n2\nthree\n')
  await world.push(clone, 'feature')
  await world.open('feature', 'T')
  const answer = await world.get(`${mr}/changes`)
  const plain = {
    new_file: false,
    renamed_file: false,
    deleted_file: false,
    a_mode: '100644',
    b_mode: '100644',
    collapsed: false,
    too_large: false,
  }
  const change = (path: string, more: Record<string, unknown> = {}) => ({
    old_path: path,
    new_path: path,
    ...plain,
    ...more,
  })
  const byPath = new Map(answer.changes.map((each: { new_path: string }) => [each.new_path, each]))
  expect(Object.fromEntries(byPath)).toEqual({
    'README.md': change('README.md', { diff: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n' }),
    'bytes.bin': change('bytes.bin', {
      new_file: true,
      a_mode: '0',
      diff: 'Binary files /dev/null and b/bytes.bin differ\n',
    }),
    'gone.txt': change('gone.txt', { deleted_file: true, b_mode: '0', diff: '@@ -1 +0,0 @@\n-gone\n' }),
    'kind.txt': change('kind.txt', {
      b_mode: '120000',
      diff: '@@ -1 +0,0 @@\n-file\n@@ -0,0 +1 @@\n+same.txt\n\\ No newline at end of file\n',
    }),
    'more.txt': change('more.txt', { diff: '@@ -1 +1,2 @@\n more\n+diff --git a/x b/x\n' }),
    'run.sh': change('run.sh', { b_mode: '100755', diff: '' }),
    'sub/moved.txt': change('sub/moved.txt', { old_path: 'move.txt', renamed_file: true, diff: '' }),
    'tab\tand ü.txt': change('tab\tand ü.txt', { new_file: true, a_mode: '0', diff: '@@ -0,0 +1 @@\n+x\n' }),
  })
  expect([answer.changes_count, answer.overflow]).toEqual(['8', false])
})

test('a carriage return in a file does not start another file', async ({ withProject: world }) => {
  await world.write('feature', 'a.txt', 'one\rdiff --git a/x b/x\r\n@@ two\u2028diff --git a/y b/y\n')
  await world.write('feature', 'b.txt', 'b\n')
  await world.open('feature', 'T')
  expect((await world.get(`${mr}/changes`)).changes).toMatchObject([
    { new_path: 'a.txt', diff: '@@ -0,0 +1,2 @@\n+one\rdiff --git a/x b/x\r\n+@@ two\u2028diff --git a/y b/y\n' },
    { new_path: 'b.txt', diff: '@@ -0,0 +1 @@\n+b\n' },
  ])
})

test('more than 1,000 changes are cut, and the count is 1000+', async ({ withProject: world }) => {
  const clone = await world.clone('root/app')
  await world.git(clone, 'checkout', '--quiet', '-b', 'feature')
  await Promise.all(Array.from({ length: 1001 }, (_, number) => writeFile(join(clone, `${number}.txt`), `${number}\n`)))
  await world.commit(clone, 'last.txt', 'x')
  await world.push(clone, 'feature')
  await world.open('feature', 'T')
  const answer = await world.get(`${mr}/changes`)
  expect([answer.changes_count, answer.changes.length, answer.overflow]).toEqual(['1000+', 1000, true])
})

test('unreferenced objects are kept: a push may be under way', async () => {
  const { world, make, commit, say } = await openBareWorld()
  await make(1)
  const lost = await commit(1, 'refs/heads/master', null, 'lost')
  await commit(1, 'refs/heads/master', null, 'kept')
  await collectGarbage(world, 1)
  expect(await say(1, 'cat-file', '-t', lost)).toBe('commit')
})
