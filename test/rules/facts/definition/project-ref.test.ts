// The project itself as what is evaluated.
import { expect, it } from 'vitest'
import { isProject, projectRef } from '../../../../src/rules/facts/definition/project-ref.ts'

it('differs from every merge request', () => {
  expect(isProject(projectRef('code', 3))).toBe(true)
  expect(projectRef('code', 3)).toMatchObject({ service: 'code', project: 3 })
  expect(isProject({ iid: 1 })).toBe(false)
})
