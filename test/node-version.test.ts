// A Node that is too old is told so before anything else is read.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

function start(version: string) {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require(${JSON.stringify(resolve(import.meta.dirname, '../bin/node-version.cjs'))}); process.stdout.write('went on')`
  return spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' })
}

test.each(['0.12.18', '18.20.8', '20.18.3'])('Node %s prints which version is needed, and stops', (version) => {
  const { status, stdout, stderr } = start(version)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toBe(
    `bellhop: Node 20.19 or newer is needed, this is ${version}. Install it from https://nodejs.org and try again.\n`,
  )
})

test.each(['20.19.0', '22.0.0', '30.1.2'])('Node %s goes on', (version) => {
  expect(start(version)).toMatchObject({ status: 0, stdout: 'went on' })
})
