;; Dot products of one query with consecutive rows of 384 floats, four components at a time.
;; Rows have unit length, so a dot product is a cosine.
(module
  (import "scan" "memory" (memory 1))
  ;; All addresses are in bytes and multiples of 16. Writes one float a row to $out.
  (func (export "scan") (param $query i32) (param $row i32) (param $rows i32) (param $out i32)
    (local $end i32)
    (local $at i32)
    (local $to i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $rows) (i32.const 2))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (local.set $to (i32.add (local.get $query) (i32.const 1536)))
        (loop $components
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $at)) (v128.load (local.get $row)))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $row)))))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul (v128.load offset=32 (local.get $at)) (v128.load offset=32 (local.get $row)))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul (v128.load offset=48 (local.get $at)) (v128.load offset=48 (local.get $row)))))
          (local.set $row (i32.add (local.get $row) (i32.const 64)))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $components (i32.lt_u (local.get $at) (local.get $to))))
        (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $each)))))
