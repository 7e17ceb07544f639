// The environment of git processes: ours alone; and those whose streams the caller handles.
import { text } from 'node:stream/consumers'
import { createGit, gitEnvironment } from '../../../src/sandbox/git/git.ts'

test('git variables of the machine do not come through, its configuration is not read', () => {
  vi.stubEnv('GIT_DIR', '/elsewhere')
  vi.stubEnv('GIT_AUTHOR_NAME', 'Somebody')
  vi.stubEnv('KEPT', 'kept')
  const environment = gitEnvironment()
  vi.unstubAllEnvs()
  expect(environment).not.toHaveProperty('GIT_DIR')
  expect(environment).toMatchObject({
    KEPT: 'kept',
    GIT_AUTHOR_NAME: 'Sandbox',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_NO_REPLACE_OBJECTS: '1',
    NO_PROXY: '127.0.0.1,localhost',
  })
})

test('no hook of a repository runs, but those of a folder that is named', () => {
  const hooksPath = (environment: Record<string, string>) => {
    const index = Object.entries(environment)
      .find(([, value]) => value === 'core.hooksPath')?.[0]
      .replace('GIT_CONFIG_KEY_', '')
    return environment[`GIT_CONFIG_VALUE_${index}`]
  }
  expect([hooksPath(gitEnvironment()), hooksPath(gitEnvironment({}, { 'core.hooksPath': '/hooks' }))]).toEqual([
    '/dev/null',
    '/hooks',
  ])
})

test.each([
  ['<Ada>\nL', 'Ada  L'],
  ['...', 'Unknown'],
  ['', 'Unknown'],
])('the name %j becomes %j, which git takes', (name, wanted) => {
  expect(gitEnvironment({ author: { name, email: 'a@b' } })).toMatchObject({
    GIT_AUTHOR_NAME: wanted,
    GIT_COMMITTER_NAME: wanted,
  })
})

describe('a started git', () => {
  /** git as a shell. */
  const shell = (script: string) => ['-c', `alias.script=!${script}`, 'script']
  const isThere = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  function openGit() {
    const git = createGit()
    onTestFinished(git.close)
    return git
  }

  test('reads its input to the end and delivers all its output', async () => {
    const { input, output, ended } = openGit().start(shell('cat; echo over'), {})
    const sent = 'a line of many\n'.repeat(200_000)
    input.end(sent)
    expect((await text(output)) === `${sent}over\n`).toBe(true)
    await ended
  })

  test('may answer before it has read everything', async () => {
    const { input, output, ended } = openGit().start(shell('head -c 1 >/dev/null; echo enough'), {})
    input.write('x'.repeat(5_000_000))
    expect(await text(output)).toBe('enough\n')
    await ended
  })

  test('talks over stream 3 and has its environment', async () => {
    const script = 'read -r line <&3; echo "$line and $MORE" >&3; read -r line <&3; echo "$line"'
    const { output, questions, ended } = openGit().start(shell(script), { MORE: 'more' }, '/hooks')
    questions?.write('one\n')
    questions?.once('data', (said) => questions.end(`heard ${said}`))
    expect(await text(output)).toBe('heard one and more\n')
    await ended
  })

  test('ends even if its output is not read', async () => {
    const { ended } = openGit().start(shell('echo something'), {})
    await ended
  })

  test.each(['end', 'close'] as const)('goes with what it started at %s', async (how) => {
    const git = openGit()
    const started = git.start(shell('sleep 600 & echo $!; wait'), {})
    const pid = await new Promise<number>((resolve) => started.output.once('data', (said) => resolve(Number(said))))
    expect(isThere(pid)).toBe(true)
    if (how === 'close') await git.close()
    else started.end()
    await started.ended
    await expect.poll(() => isThere(pid)).toBe(false)
  })

  test('that cannot be started has ended without output', async () => {
    const { output, ended } = openGit().start(['version'], { PATH: '/nowhere' })
    expect(await text(output)).toBe('')
    await ended
  })
})
