// Labels that projects choose are limited, in total and for each project.
import { cappedLabels } from '../../../src/admin/metrics/metrics.ts'

test('a text keeps its label; texts above the limit are `other`', () => {
  const label = cappedLabels({ all: 2, perProject: 2, known: [] })
  expect(['a', 'b', 'c', 'a', 'b'].map((text) => label(text, 1))).toEqual(['a', 'b', 'other', 'a', 'b'])
})

test('one project leaves labels for others', () => {
  const label = cappedLabels({ all: 3, perProject: 2, known: [] })
  expect(['a', 'b', 'c'].map((text) => label(text, 1))).toEqual(['a', 'b', 'other'])
  expect(['a', 'c', 'd'].map((text) => label(text, 2))).toEqual(['a', 'c', 'other'])
})

test('known texts do not count', () => {
  const label = cappedLabels({ all: 1, perProject: 1, known: ['ours'] })
  expect(['a', 'ours', 'b'].map((text) => label(text, 1))).toEqual(['a', 'ours', 'other'])
})

test('a label has no control characters', () => {
  const label = cappedLabels({ all: 3, perProject: 3, known: ['o\u0007urs'] })
  expect(['a\u0000b', 'a\u0001b', 'c\n', 'o\u0007urs'].map((text) => label(text, 1))).toEqual([
    ...['a\ufffdb', 'a\ufffdb', 'c\ufffd', 'o\ufffdurs'],
  ])
})
