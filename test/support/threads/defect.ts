// A thread that has a defect.

throw new TypeError('a defect')
