// `npm run bench` as the pages give it: its help, what it says of what it cannot run, and a small burst.
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from '../cli/own-folder.ts'
import { npmEnvironment } from '../deploy/build-stage.ts'
import { hasRedisServer, startRedis } from '../servers/redis-server.ts'
import { root, runProgram } from '../system/process.ts'

const run = (command: string) =>
  runProgram(command.split(' '), { cwd: root, env: { ...process.env, ...npmEnvironment } })

describe.concurrent('the benches', () => {
  test('npm run bench -- --help says what each measures', async () => {
    const { code, stdout } = await run('npm run bench -- --help')
    expect(code).toBe(0)
    const names = readdirSync(join(root, 'bench')).filter((name) => existsSync(join(root, 'bench', name, 'run.ts')))
    for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    // What all of them are given together: less than ten minutes.
    const given = [...stdout.matchAll(/ \((\d+) s\)$/gm)].map(([, seconds]) => Number(seconds))
    expect(given.length).toBeGreaterThan(8)
    expect(given.reduce((sum, each) => sum + each, 0)).toBeLessThan(600)
  })

  test('a name that is none is wrong usage', async () => {
    expect(await run('npm run bench -- flight')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown: flight\n'),
    })
  })

  test('a bench that cannot run says so, and what is missing', async () => {
    const { folder } = ownFolder()
    symlinkSync(process.execPath, join(folder, 'node'))
    const command = [
      join(folder, 'node'),
      '--import',
      'tsx',
      'bench/run.ts',
      'receiver',
      '--out',
      join(folder, 'results'),
    ]
    const { stdout, stderr } = await runProgram(command, { cwd: root, env: { ...process.env, PATH: folder } })
    expect(stderr).toContain('receiver: left out: redis-server is not on the PATH')
    expect(stdout).toContain('Left out: redis-server is not on the PATH')
  })

  test.skipIf(!hasRedisServer())('a small burst is taken and read whole', async () => {
    const redis = await startRedis()
    try {
      const { code, stdout } = await run(`npm run bench -- burst --count 40 --queue ${redis.url}`)
      expect(stdout).toMatch(/^answers {6}40 × 202$/m)
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^lost {9}0 of 40 /m)])
    } finally {
      await redis.stop()
    }
  })
})
