// Start, close, and what the sandbox needs.
import { execFile } from 'node:child_process'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { test } from './sandbox-world.ts'

test('root is user 1, an administrator, and owns the root token', async ({ world }) => {
  expect(await world.get('/user')).toMatchObject({
    id: 1,
    username: 'root',
    is_admin: true,
    email: 'admin@example.com',
  })
})

test('a sandbox listens on the port it is given, and refuses one that is taken', async ({ world }) => {
  const port = Number(new URL(world.url).port)
  await expect(startSandbox({ port, rootToken: 't', folder: world.folder })).rejects.toThrow(/EADDRINUSE/)
})

test('nothing listens after close', async () => {
  const { folder } = ownFolder()
  const sandbox = await startSandbox({ rootToken: 't', folder })
  await sandbox.close()
  await expect(fetch(`${sandbox.url}/api/v4/user`)).rejects.toThrow()
})

test('a machine without git gets one line that says what to install', async () => {
  const script = `import { checkGit } from '${new URL('../../src/sandbox/git/git.ts', import.meta.url).href}'
    await checkGit().then(() => console.log('fine'), (error) => console.log(error.message))`
  const output = await new Promise<string>((resolve) => {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
    execFile(process.execPath, args, { env: { PATH: '/nonexistent' } }, (_error, out, err) => resolve(out + err))
  })
  expect(output).toBe(
    'git 2.38 or newer with http-backend is needed: install the git package (Debian: apt-get install git, Alpine: apk add git git-daemon)\n',
  )
})
