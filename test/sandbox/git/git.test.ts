// The environment of git processes: ours alone.
import { expect, test, vi } from 'vitest'
import { checkGit, gitEnvironment } from '../../../src/sandbox/git/git.ts'

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
  expect([hooksPath(gitEnvironment()), hooksPath(gitEnvironment({}, '/hooks'))]).toEqual(['/dev/null', '/hooks'])
})

test.each([
  ['<Ada>\nL', 'Ada  L'],
  ['...', 'Unknown'],
  ['', 'Unknown'],
])('the name %j becomes %j, which git takes', (name, wanted) => {
  expect(gitEnvironment({ author: { name, email: 'a@b' } })).toMatchObject({ GIT_AUTHOR_NAME: wanted, GIT_COMMITTER_NAME: wanted })
})

test('the git of this machine is fit', async () => {
  await checkGit()
})
