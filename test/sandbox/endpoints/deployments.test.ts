// Deployments through the API: what each endpoint refuses, and to whom.
import { expect, test } from 'vitest'
import { openProject } from '../sandbox-world.ts'

const path = '/projects/1/deployments'
const body = { environment: 'production', sha: 'master', ref: 'master', tag: false, status: 'running' }

async function openDeployed() {
  const world = await openProject()
  return { world, deployment: await world.post(path, body) }
}

test('an unknown commit or status, and a move to the same status, are refused with what is wrong', async () => {
  const { world } = await openDeployed()
  expect(await world.answer('POST', path, { ...body, sha: 'none' })).toEqual([
    400,
    { message: { sha: ['The commit does not exist'] } },
  ])
  expect(await world.answer('POST', path, { ...body, status: 'done' })).toEqual([
    400,
    { error: 'status does not have a valid value' },
  ])
  expect(await world.answer('PUT', `${path}/1`, {})).toEqual([400, { error: 'status is missing' }])
  expect(await world.answer('PUT', `${path}/1`, { status: 'running' })).toEqual([
    400,
    { message: { status: ['Cannot transition status to running'] } },
  ])
})
