import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct CollisionGridTests {
    private func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Box {
        Box(left: left, top: top, right: right, bottom: bottom)
    }

    @Test func boxesThatTouchCollide() {
        var grid = CollisionGrid(width: 200, height: 200)
        grid.insert(box(10, 10, 50, 20), overlap: .never)
        #expect(grid.collides(box(50, 20, 60, 30), overlap: .never))
        #expect(!grid.collides(box(50.5, 20, 60, 30), overlap: .never))
        #expect(!grid.collides(box(0, 100, 200, 110), overlap: .never))
    }

    @Test func circlesCollideWithBoxesAndCircles() {
        var grid = CollisionGrid(width: 200, height: 200)
        grid.insert(CollisionGrid.Circle(x: 100, y: 100, radius: 10), overlap: .never)
        grid.insert(box(0, 0, 20, 20), overlap: .never)
        #expect(grid.collides(box(105, 105, 120, 120), overlap: .never))
        #expect(!grid.collides(box(108, 108, 120, 120), overlap: .never))
        #expect(grid.collides(CollisionGrid.Circle(x: 115, y: 100, radius: 6), overlap: .never))
        #expect(!grid.collides(CollisionGrid.Circle(x: 115, y: 100, radius: 5), overlap: .never))
        #expect(grid.collides(CollisionGrid.Circle(x: 23, y: 23, radius: 5), overlap: .never))
        #expect(!grid.collides(CollisionGrid.Circle(x: 24, y: 24, radius: 5), overlap: .never))
    }

    @Test func cooperationIsAmongThoseWhoAgree() {
        var grid = CollisionGrid(width: 300, height: 100)
        grid.insert(box(0, 0, 50, 50), overlap: .never)
        grid.insert(box(100, 0, 150, 50), overlap: .cooperative)
        grid.insert(box(200, 0, 250, 50), overlap: .always)
        for (x, cooperative) in [(10.0, true), (110, false), (210, false)] {
            let place = box(x, 10, x + 5, 20)
            #expect(grid.collides(place, overlap: .never))
            #expect(grid.collides(place, overlap: .cooperative) == cooperative)
            #expect(!grid.collides(place, overlap: .always))
        }
    }

    @Test func whatCoversTheGridCollidesAndWhatIsOutsideDoesNot() {
        let grid = CollisionGrid(width: 100, height: 100)
        #expect(grid.collides(box(-10, -10, 110, 110), overlap: .never))
        #expect(!grid.collides(box(101, 0, 150, 50), overlap: .never))
        #expect(!grid.collides(box(.nan, .nan, .nan, .nan), overlap: .never))
    }
}
